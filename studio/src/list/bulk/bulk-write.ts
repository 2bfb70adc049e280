// Changes and deletes many items as one request, and takes that back as one request. What is confirmed is what is written: the items are read
// first, with the values that the change replaces, and then named by their keys.

import { ApiError, request, search } from '../../api/client.js';
import { isEqual } from '../../draft/draft.js';
import type { Item } from '../../draft/item.js';
import { payloadOf } from '../../draft/staged.js';
import { escapeName } from '../../schema/field-path.js';
import { keyValue } from '../../schema/item-key.js';
import type { Collection, Schema } from '../../schema/model.js';
import { itemsPath } from '../../studio-context.js';
import type { Row } from '../rows.js';

/** The items meant: by their keys, or everything that a query finds. */
export type BulkTarget =
  | { readonly kind: 'keys'; readonly keys: readonly unknown[] }
  | { readonly kind: 'query'; readonly query: Readonly<Record<string, unknown>>; readonly count: number };

/** Larger changes are written by the query itself and cannot be undone in one step. */
export const mostUndone = 10_000;
/** Below the service's default limit of a body, with room for the rest of the request. */
const largestBody = 900_000;

interface BulkContext {
  readonly schema: Schema;
  readonly collection: Collection;
}

/** Undoes a bulk write; resolves to false if somebody has changed one of the items meanwhile. */
type TakeBack = () => Promise<boolean>;

export interface BulkResult {
  /** How many items were written; null: the answer does not tell. */
  readonly count: number | null;
  readonly takeBack: TakeBack | null;
}

export const sizeOf = (target: BulkTarget): number => (target.kind === 'keys' ? target.keys.length : target.count);

const readRows = async ({ collection }: BulkContext, target: BulkTarget, names: readonly string[]): Promise<readonly Row[]> => {
  const fields = names.map(escapeName);
  if (target.kind === 'query') return (await search<readonly Row[]>(itemsPath(collection), { ...target.query, fields, limit: -1 })).data;
  const body = { keys: target.keys, query: { fields, limit: -1 } };
  return (await request<readonly Row[]>('SEARCH', itemsPath(collection), { body })).data;
};

export async function updateMany(context: BulkContext, target: BulkTarget, edits: Item): Promise<BulkResult> {
  const { schema, collection } = context;
  const { keys: keyNames } = collection;
  const path = itemsPath(collection);
  const data = payloadOf(schema, collection, edits);
  const names = Object.keys(data);
  const fields = keyNames.map(escapeName).join(',');
  if (sizeOf(target) > mostUndone && target.kind === 'query') {
    const body = { query: { ...target.query, limit: -1 }, data };
    const { data: changed } = await request<readonly Row[]>('PATCH', path, { body, query: { fields } });
    return { count: changed.length, takeBack: null };
  }
  const before = await readRows(context, target, [...keyNames, ...names]);
  const keys = before.map((row) => keyValue(collection, row));
  if (keys.length === 0) return { count: 0, takeBack: null };
  await request('PATCH', path, { body: { keys, data }, query: { fields } });
  const changes = before.map((row) => Object.fromEntries([...keyNames, ...names].map((name) => [name, row[name] ?? null])));
  if (JSON.stringify(changes).length > largestBody) return { count: keys.length, takeBack: null };
  const takeBack = async (): Promise<boolean> => {
    const now = await readRows(context, { kind: 'keys', keys }, [...keyNames, ...names]);
    if (now.length < keys.length || now.some((row) => names.some((name) => !isStored(row[name], data[name])))) return false;
    await request('PATCH', path, { body: changes, query: { fields } });
    return true;
  };
  return { count: keys.length, takeBack };
}

/** The service may store another form of the value that was sent. */
function isStored(stored: unknown, sent: unknown): boolean {
  if (isEqual(stored ?? null, sent ?? null)) return true;
  if (stored === null || stored === undefined || sent === null || sent === undefined) return false;
  const [one, other] = [String(stored), String(sent)];
  return one === other || Number(one) === Number(other) || Date.parse(one) === Date.parse(other);
}

export async function deleteMany(context: BulkContext, target: BulkTarget): Promise<BulkResult> {
  const { collection } = context;
  const path = itemsPath(collection);
  if (sizeOf(target) > mostUndone && target.kind === 'query') {
    await request('DELETE', path, { body: { query: { ...target.query, limit: -1 } } });
    return { count: null, takeBack: null };
  }
  const columns = collection.fields.filter(
    (field) => field.column !== null && !field.isGenerated && !field.special.includes('conceal') && field.type !== 'hash',
  );
  const before = await readRows(context, target, [...new Set([...collection.keys, ...columns.map(({ name }) => name)])]);
  const keys = before.map((row) => keyValue(collection, row));
  if (keys.length === 0) return { count: 0, takeBack: null };
  await request('DELETE', path, { body: keys });
  const isWhole = columns.length === collection.fields.filter(({ column, isGenerated }) => column !== null && !isGenerated).length;
  if (!isWhole || JSON.stringify(before).length > largestBody) return { count: keys.length, takeBack: null };
  const takeBack = async (): Promise<boolean> => {
    await request('POST', path, { body: before, query: { fields: collection.keys.map(escapeName).join(',') } });
    return true;
  };
  return { count: keys.length, takeBack };
}

export const messageOf = (error: unknown, unreachable: string): string =>
  error instanceof ApiError && error.status > 0 ? error.message : unreachable;
