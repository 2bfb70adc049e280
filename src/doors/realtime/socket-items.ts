// `items` messages: reading and writing as over REST, one message one transaction.

import { type Caller, lookUpCollection } from '../../core/access/view.js';
import { parseKeyValue } from '../../core/engine/read/item-key.js';
import type { Work } from '../../core/engine/work/work.js';
import { invalidPayload } from '../../core/errors/service-error.js';
import { parseQueryObject } from '../../core/query/parse/parse-query-object.js';
import type { ParsedQuery } from '../../core/query/query.js';
import { isPlainObject, type PlainObject } from '../../core/util/plain-object.js';
import { collectionOf, type ItemDeps } from '../../service/operations/items/item-target.js';
import { prepareWrite, type WriteOperation } from '../../service/operations/items/write-operation.js';
import { MessageError } from './socket-message.js';

export interface SocketItemsDeps extends ItemDeps {
  /** The work of a caller outside of a transaction. Reads end with the signal. */
  work(caller: Caller, signal: Work['signal']): Work;
}

/** The members of the answer besides type and uid, as JSON text: `"data":…` and perhaps `"meta":…`. */
export async function runItemsMessage(
  deps: SocketItemsDeps,
  caller: Caller,
  body: PlainObject,
  signal: () => Work['signal'],
): Promise<string> {
  const name = readCollection(caller, body.collection);
  switch (body.action) {
    case 'create':
      return write(deps, caller, { method: 'POST', collection: name, query: urlQuery(body.query), body: body.data ?? {} });
    case 'read':
      return read(deps, deps.work(caller, signal()), name, body);
    case 'update':
      return update(deps, caller, name, body);
    case 'delete':
      return remove(deps, caller, name, body);
    default:
      throw invalidPayload('"action" has to be one of create, read, update, delete.');
  }
}

function readCollection({ view }: Caller, name: unknown): string {
  const collection = typeof name === 'string' ? view.schema.collections.get(name) : undefined;
  if (typeof name !== 'string' || collection?.system !== false)
    throw new MessageError('INVALID_COLLECTION', 'The provided collection does not exists or is not accessible.');
  return name;
}

async function read({ reader, limits }: SocketItemsDeps, work: Work, name: string, body: PlainObject): Promise<string> {
  const parsed = parsedQuery(body.query, limits);
  const collection = lookUpCollection(work.caller.view, name, 'read');
  if (body.id !== undefined) return `"data":${await reader.item(work, name, parseKeyValue(collection, body.id), parsed)}`;
  const keys = body.ids === undefined ? null : readKeys(body.ids);
  if (collection.singleton && keys === null) return `"data":${await reader.singleton(work, name, parsed)}`;
  const { items, meta } = await reader.items(work, name, parsed, keys);
  return `"data":[${items}]${meta === null ? '' : `,"meta":${meta}`}`;
}

const parsedQuery = (query: unknown, limits: SocketItemsDeps['limits']): ParsedQuery => parseQueryObject(query ?? {}, limits);

function update(deps: SocketItemsDeps, caller: Caller, collection: string, { id, ids, query, data }: PlainObject): Promise<string> {
  const method = 'PATCH';
  if (id !== undefined) return write(deps, caller, { method, collection, segment: segmentOf(id), query: '', body: data });
  if (ids !== undefined) return write(deps, caller, { method, collection, query: urlQuery(query), body: { keys: readKeys(ids), data } });
  if (Array.isArray(data) || collectionOf(caller, collection)?.singleton === true)
    return write(deps, caller, { method, collection, query: urlQuery(query), body: data });
  return write(deps, caller, { method, collection, query: '', body: { query: query ?? {}, data } });
}

async function remove(deps: SocketItemsDeps, caller: Caller, collection: string, { id, ids, query }: PlainObject): Promise<string> {
  const chosen = id !== undefined ? [id] : ids === undefined ? null : readKeys(ids);
  if (chosen === null && query === undefined) throw invalidPayload('Either "ids", "id" or a "query" is required for a DELETE request.');
  const keys = await deps.writer.transaction(caller, async (work) => {
    const found = chosen ?? (await deps.reader.keys(work, collection, parsedQuery(query, deps.limits)));
    await deps.writer.delete(work, collection, found);
    return found;
  });
  return `"data":${JSON.stringify(id === undefined ? keys : id)}`;
}

async function write(
  deps: SocketItemsDeps,
  caller: Caller,
  operation: Omit<WriteOperation, 'segment' | 'ifMatch' | 'url'> & { readonly segment?: string },
): Promise<string> {
  const run = prepareWrite(deps, caller, { segment: null, ifMatch: null, url: operation.collection, ...operation });
  const answer = await deps.writer.transaction(caller, run);
  const { text } = answer();
  return text === null ? '"data":null' : text.slice(1, -1);
}

function readKeys(ids: unknown): readonly unknown[] {
  if (!Array.isArray(ids)) throw invalidPayload('"ids" has to be a list of keys.');
  return ids;
}

const segmentOf = (id: unknown): string =>
  [id]
    .flat()
    .map((part) => encodeURIComponent(String(part)))
    .join(',');

/** The query of an answer in the form of a URL, which writes take. */
function urlQuery(query: unknown): string {
  if (query === undefined || query === null) return '';
  if (!isPlainObject(query)) throw invalidPayload('"query" has to be an object.');
  return Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(spelled(value))}`)
    .join('&');
}

function spelled(value: unknown): string {
  if (Array.isArray(value) && value.every((part) => typeof part !== 'object')) return value.join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
