// Operations on items, through the engine and with the rights that the operation states. What names no item touches none: only a query that
// says so touches all of them.

import type { Caller } from '../../../core/access/view.js';
import { attemptPart } from '../../../core/engine/work/rehearse.js';
import { isWorthRetrying } from '../../../core/engine/work/retry.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import { translateError } from '../../../core/engine/work/translate-error.js';
import type { Work } from '../../../core/engine/work/work.js';
import { forbidden, invalidPayload } from '../../../core/errors/service-error.js';
import { parseQueryObject } from '../../../core/query/parse/parse-query-object.js';
import { isPlainObject, type PlainObject } from '../../../core/util/plain-object.js';
import { DatabaseError } from '../../../core/vendor/database-error.js';
import { type StepCall, type StepType, stepType } from './step.js';

const documents = ['payload', 'query'];

/** Of an item: a key, several of them in a list, or a query. `nothing`: the options name none. */
type Target =
  | { readonly kind: 'keys'; readonly keys: readonly unknown[]; readonly isOne: boolean }
  | { readonly kind: 'query'; readonly query: PlainObject }
  | { readonly kind: 'nothing' };

export const itemSteps: Readonly<Record<string, StepType>> = {
  'item-create': stepType(createItems, { documents }),
  'item-read': stepType(readItems, { documents }),
  'item-update': stepType(updateItems, { documents }),
  'item-delete': stepType(deleteItems, { documents }),
};

async function createItems(call: StepCall): Promise<unknown> {
  const { payload } = call.options;
  if (isBlank(payload)) return null;
  const payloads = Array.isArray(payload) ? payload : [payload];
  return writing(call, (work) => call.deps.writer.create(work, collectionOf(call), payloads));
}

async function readItems(call: StepCall): Promise<unknown> {
  const { reader, limits } = call.deps;
  const collection = collectionOf(call);
  const keys = keysOf(call.options['key']);
  const parsed = parseQueryObject(queryOf(call.options['query']) ?? {}, limits);
  // A template that came to nothing names nothing, while an option that was left out asks for a list.
  if (keys === null && isTemplate(call.step.options['key'])) return [];
  return reading(call, async (work) => {
    if (keys === null) return JSON.parse(`[${(await reader.items(work, collection, parsed)).items}]`);
    const [only] = keys.keys;
    if (keys.keys.length === 1) return JSON.parse(await reader.item(work, collection, Array.isArray(only) ? only : [only], parsed));
    return JSON.parse(`[${(await reader.items(work, collection, parsed, keys.keys)).items}]`);
  });
}

async function updateItems(call: StepCall): Promise<unknown> {
  const { writer } = call.deps;
  const { payload } = call.options;
  const target = targetOf(call);
  const collection = collectionOf(call);
  if (Array.isArray(payload)) {
    if (target.kind !== 'nothing') throw invalidPayload('A list of payloads names its items itself: leave out "key" and "query".');
    return payload.length === 0 ? null : writing(call, (work) => writer.updateBatch(work, collection, payload));
  }
  if (target.kind === 'nothing' || isBlank(payload)) return null;
  return writing(call, async (work) => {
    const keys = await targetKeys(call, work, target);
    const changed = keys.length === 0 ? [] : await writer.update(work, collection, keys, payload);
    return target.kind === 'keys' && target.isOne ? (changed[0] ?? null) : changed;
  });
}

async function deleteItems(call: StepCall): Promise<unknown> {
  const target = targetOf(call);
  if (target.kind === 'nothing') return null;
  return writing(call, async (work) => {
    const keys = await targetKeys(call, work, target);
    if (keys.length > 0) await call.deps.writer.delete(work, collectionOf(call), keys);
    return target.kind === 'keys' && target.isOne ? (keys[0] ?? null) : keys;
  });
}

/** In the transaction of the write that waits for the run, else in one of its own. */
export async function writing<T>(call: StepCall, act: (work: TransactionWork) => Promise<T>): Promise<T> {
  const caller = await call.caller();
  const { write } = call.scope;
  if (write === null) return call.deps.writer.transaction(caller, act, { origin: call.origin });
  return takePart(call, write, caller, act);
}

/** The same for what only reads. */
async function reading<T>(call: StepCall, act: (work: Work) => Promise<T>): Promise<T> {
  const caller = await call.caller();
  const { write } = call.scope;
  return write === null
    ? act({ caller, connection: call.deps.connection, signal: null, afterCommit: null })
    : takePart(call, write, caller, act);
}

/** A flow that handles the failure of the operation goes on, and the write with it: PostgreSQL ends a transaction in which a read has failed, too. */
function takePart<T>({ origin }: StepCall, write: TransactionWork, caller: Caller, act: (work: TransactionWork) => Promise<T>): Promise<T> {
  const part = { ...write, caller, accountable: caller.accountability, origin };
  return attemptPart(part, `flow_${origin.depth}`, act).catch((error: unknown) => {
    throw error instanceof DatabaseError && !isWorthRetrying(error) ? translateError(caller.view.schema, error) : error;
  });
}

/** Those that a query selects, as the caller may read them. */
async function targetKeys(
  { deps, options }: StepCall,
  work: TransactionWork,
  target: Exclude<Target, { kind: 'nothing' }>,
): Promise<readonly unknown[]> {
  if (target.kind === 'keys') return target.keys;
  return deps.reader.keys(work, String(options['collection']), parseQueryObject(target.query, deps.limits));
}

function targetOf({ options, step }: StepCall): Target {
  const keys = keysOf(options['key']);
  const query = queryOf(options['query']);
  if (keys !== null && query !== null) throw invalidPayload('Either "key" or "query" names the items, not both.');
  if (keys !== null) return { kind: 'keys', ...keys };
  if (query === null) return { kind: 'nothing' };
  const written = step.options['query'];
  const wasTemplate = isPlainObject(written) && isTemplate(written['filter']);
  return wasTemplate && isBlank(query['filter']) ? { kind: 'nothing' } : { kind: 'query', query };
}

/** null: the option names no key. */
function keysOf(key: unknown): { readonly keys: readonly unknown[]; readonly isOne: boolean } | null {
  if (isBlank(key)) return null;
  if (!Array.isArray(key)) return { keys: [key], isOne: true };
  if (key.some(isBlank)) throw invalidPayload('"key" holds an entry without a value.');
  return { keys: key, isOne: false };
}

/** null: there is none, or it asks for nothing. */
function queryOf(query: unknown): PlainObject | null {
  if (isBlank(query)) return null;
  if (!isPlainObject(query)) throw invalidPayload('"query" has to be an object.');
  return query;
}

/** Nothing, in all the ways in which an option can hold it. */
const isBlank = (value: unknown): boolean => {
  if (value === undefined || value === null || value === '') return true;
  return Array.isArray(value) ? value.length === 0 : isPlainObject(value) && Object.keys(value).length === 0;
};

const isTemplate = (option: unknown): boolean => typeof option === 'string' && option.includes('{{');

function collectionOf({ options }: StepCall): string {
  const { collection } = options;
  if (typeof collection !== 'string' || collection === '') throw forbidden();
  return collection;
}
