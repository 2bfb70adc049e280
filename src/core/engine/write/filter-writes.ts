// Runs the `filter` hooks of a collection over what a caller asks for, before anything of it is bound: what they change is checked as if the
// caller had sent it. Collections without such hooks cost one look into a map.

import { findCollection } from '../../access/view.js';
import { keyOfPayload } from '../../plan/write/item-key.js';
import type { Collection } from '../../schema/schema.js';
import { isPlainObject } from '../../util/plain-object.js';
import type { TransactionWork } from '../work/transaction.js';
import type { Hooks, WriteAction } from './hooks.js';
import { isInParts, type Payloads } from './in-parts.js';

export interface Filtered<T> {
  /** To write with. */
  readonly work: TransactionWork;
  readonly asked: T;
}

const partLength = 250;

/** Each new item by itself. */
export async function filterCreates<P extends Payloads>(
  hooks: Hooks,
  work: TransactionWork,
  name: string,
  payloads: P,
): Promise<Filtered<P | readonly unknown[]>> {
  const collection = filteredCollection(hooks, work, name, 'create');
  if (collection === null) return { work, asked: payloads };
  const asked: unknown[] = [];
  for (const payload of isInParts(payloads) ? [...payloads.parts(partLength)].flat() : (payloads as readonly unknown[]))
    asked.push(await hooks.runFilter({ work, collection, action: 'create', keys: null, payload }));
  return { work: { ...work, filtered: filteredAs('create', collection) }, asked };
}

/** All keys at once. */
export async function filterUpdate(
  hooks: Hooks,
  work: TransactionWork,
  name: string,
  keys: readonly unknown[],
  payload: unknown,
): Promise<Filtered<unknown>> {
  const collection = filteredCollection(hooks, work, name, 'update');
  if (collection === null || keys.length === 0) return { work, asked: payload };
  const asked = await hooks.runFilter({ work, collection, action: 'update', keys, payload });
  return { work: { ...work, filtered: filteredAs('update', collection) }, asked };
}

/** Each payload by itself: it names the key of its item, which filters see apart from the values. */
export async function filterBatch(
  hooks: Hooks,
  work: TransactionWork,
  name: string,
  payloads: readonly unknown[],
): Promise<Filtered<readonly unknown[]>> {
  const collection = filteredCollection(hooks, work, name, 'update');
  if (collection === null) return { work, asked: payloads };
  const asked: unknown[] = [];
  for (const payload of payloads) {
    const parts = isPlainObject(payload) ? keyOfPayload(collection, payload) : null;
    if (parts === null || !isPlainObject(payload)) {
      asked.push(payload);
      continue;
    }
    const key = Object.fromEntries(collection.primaryKey.map((part) => [part, payload[part]]));
    const values = Object.fromEntries(Object.entries(payload).filter(([field]) => !collection.primaryKey.includes(field)));
    const keys = [parts.length === 1 ? parts[0] : parts];
    const made = await hooks.runFilter({ work, collection, action: 'update', keys, payload: values });
    asked.push(isPlainObject(made) ? { ...made, ...key } : made);
  }
  return { work: { ...work, filtered: filteredAs('update', collection) }, asked };
}

/** Filters of deletions refuse them or let them be. */
export async function filterDelete(hooks: Hooks, work: TransactionWork, name: string, keys: readonly unknown[]): Promise<TransactionWork> {
  const collection = filteredCollection(hooks, work, name, 'delete');
  if (collection === null || keys.length === 0) return work;
  await hooks.runFilter({ work, collection, action: 'delete', keys, payload: null });
  return { ...work, filtered: filteredAs('delete', collection) };
}

/** null: nobody filters it, or the caller may not do this anyway. */
function filteredCollection(hooks: Hooks, { caller }: TransactionWork, name: string, action: WriteAction): Collection | null {
  const present = caller.view.schema.collections.get(name);
  if (present === undefined || !hooks.has(present, action, ['filter'])) return null;
  return findCollection(caller.view, name, action);
}

/** What marks the work of a write whose root items `filter` hooks have seen. */
export const filteredAs = (action: WriteAction, { name }: Pick<Collection, 'name'>): string => `${action} ${name}`;
