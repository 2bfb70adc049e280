// One write over REST as a value: what a request, or an entry of a batch, asks for. Preparing it checks the query of its answer, so that
// nothing is written for an answer that cannot be given; running it happens inside a transaction that others may share.

import { type Caller, findCollection } from '../../core/access/view.js';
import type { Pending } from '../../core/engine/gathering-connection.js';
import type { Payloads } from '../../core/engine/in-parts.js';
import type { TransactionWork } from '../../core/engine/transaction.js';
import type { Key } from '../../core/engine/work.js';
import { invalidPayload } from '../../core/errors/service-error.js';
import { parseUrlQuery } from '../../core/query/parse-url-query.js';
import type { ParsedQuery } from '../../core/query/query.js';
import { requiredOf } from '../../service/system/resources.js';
import { routeNotFound } from '../http/answer-error.js';
import { LongList } from '../http/long-list.js';
import { checkMatch } from './check-match.js';
import { makeTag } from './entity-tag.js';
import { collectionOf, keyOfSegment } from './item-target.js';
import { type Chosen, parseDeleteBody, parseUpdateBody } from './write-body.js';
import type { WriteDoor } from './write-door.js';

export interface WriteOperation {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly collection: string;
  /** The key as a path carries it; null: the operation is about the list. */
  readonly segment: string | null;
  /** The query string, without its question mark. */
  readonly query: string;
  readonly body: unknown;
  readonly ifMatch: string | null;
  /** For what is not there. */
  readonly url: string;
}

/** `text` is null when there is nothing to say, or nothing the caller may read. */
interface WriteAnswer {
  readonly text: string | null;
  readonly etag: string | null;
}

/** What it answers is known when the transaction has sent everything. */
export type RunWrite = (work: TransactionWork) => Promise<Pending<WriteAnswer>>;

const nothing: Pending<WriteAnswer> = () => ({ text: null, etag: null });

export function prepareWrite(door: WriteDoor, caller: Caller, operation: WriteOperation): RunWrite {
  switch (operation.method) {
    case 'POST':
      return prepareCreate(door, caller, operation);
    case 'PATCH':
      return operation.segment === null
        ? prepareUpdateList(door, caller, operation)
        : prepareUpdateOne(door, caller, operation, operation.segment);
    case 'DELETE':
      return prepareDelete(door, operation);
  }
}

function prepareCreate(door: WriteDoor, caller: Caller, operation: WriteOperation): RunWrite {
  const { collection, query, body = {}, url } = operation;
  if (operation.segment !== null || isSingleton(caller, collection)) throw routeNotFound(url);
  const parsed = readable(door, caller, operation);
  if (body instanceof LongList) return (work) => createMany(door, work, collection, body, parsed);
  const payloads: readonly unknown[] = Array.isArray(body) ? body : [body];
  refuseMissing(collection, payloads);
  const conflict = conflictFields(query);
  return async (work) => {
    if (conflict !== null) {
      const { keys, created, updated } = await door.writer.upsert(work, collection, payloads, conflict);
      const data = await listItems(door, work, collection, parsed, keys);
      return data === null ? nothing : asAnswer(`{"data":[${data}],"meta":${JSON.stringify({ created, updated })}}`);
    }
    return Array.isArray(body) ? createMany(door, work, collection, payloads, parsed) : createOne(door, work, operation, parsed);
  };
}

async function createOne(
  door: WriteDoor,
  work: TransactionWork,
  operation: WriteOperation,
  parsed: ParsedQuery | null,
): Promise<Pending<WriteAnswer>> {
  const { collection, query, body = {} } = operation;
  const wanted = parsed === null ? null : door.reader.newItem(work, collection, parsed);
  const { key, text } = await door.writer.createOne(work, collection, body, wanted);
  return text === null ? oneAnswer(door, work, operation, parsed, key) : itemAnswer(query, text);
}

async function createMany(
  door: WriteDoor,
  work: TransactionWork,
  collection: string,
  payloads: Payloads,
  parsed: ParsedQuery | null,
): Promise<Pending<WriteAnswer>> {
  const wanted = parsed === null ? null : door.reader.newItems(work, collection, parsed);
  const { keys, texts } = await door.writer.createMany(work, collection, payloads, wanted);
  return texts === null ? listAnswer(door, work, collection, parsed, keys) : asAnswer(`{"data":[${texts.join(',')}]}`);
}

const asAnswer =
  (text: string): Pending<WriteAnswer> =>
  () => ({ text, etag: null });

/** What was written may be outside of what the caller may read. */
const itemAnswer =
  (query: string, text: Pending<string | null>): Pending<WriteAnswer> =>
  () => {
    const item = text();
    return item === null ? nothing() : { text: `{"data":${item}}`, etag: makeTag(query, item) };
  };

function prepareUpdateList(door: WriteDoor, caller: Caller, operation: WriteOperation): RunWrite {
  const { collection } = operation;
  const parsed = readable(door, caller, operation);
  if (isSingleton(caller, collection))
    return async (work) =>
      oneAnswer(door, work, operation, parsed, keyParts(await door.writer.updateSingleton(work, collection, operation.body)));
  const body = parseUpdateBody(operation.body, door.limits);
  return async (work) => {
    const keys =
      body.kind === 'batch'
        ? await door.writer.updateBatch(work, collection, body.items)
        : await door.writer.update(work, collection, await chosenKeys(door, work, collection, body.chosen), body.data);
    return listAnswer(door, work, collection, parsed, keys);
  };
}

function prepareUpdateOne(door: WriteDoor, caller: Caller, operation: WriteOperation, segment: string): RunWrite {
  const { collection, body, url } = operation;
  if (isSingleton(caller, collection)) throw routeNotFound(url);
  const parsed = readable(door, caller, operation);
  return async (work) => {
    await matchFirst(door, work, operation, segment);
    const [written] = await door.writer.update(work, collection, [keyOfSegment(caller, collection, segment)], body);
    return written === undefined ? nothing : oneAnswer(door, work, operation, parsed, keyParts(written));
  };
}

function prepareDelete(door: WriteDoor, operation: WriteOperation): RunWrite {
  const { collection, segment } = operation;
  if (segment === null) {
    const chosen = parseDeleteBody(operation.body, door.limits);
    return async (work) => {
      await door.writer.delete(work, collection, await chosenKeys(door, work, collection, chosen));
      return nothing;
    };
  }
  return async (work) => {
    await matchFirst(door, work, operation, segment);
    await door.writer.delete(work, collection, [keyOfSegment(work.caller, collection, segment)]);
    return nothing;
  };
}

async function matchFirst(door: WriteDoor, work: TransactionWork, { collection, ifMatch }: WriteOperation, segment: string): Promise<void> {
  if (ifMatch !== null) await checkMatch(door, work, collection, segment, ifMatch);
}

const isSingleton = (caller: Caller, name: string): boolean => collectionOf(caller, name)?.singleton === true;

/** The query of the answer; null: the caller may not read this collection at all. */
function readable(door: WriteDoor, caller: Caller, { collection, query }: WriteOperation): ParsedQuery | null {
  const parsed = parseUrlQuery(query, door.limits);
  if (findCollection(caller.view, collection, 'read') === null) return null;
  door.reader.check({ caller }, collection, parsed);
  return parsed;
}

function refuseMissing(collection: string, payloads: readonly unknown[]): void {
  for (const name of requiredOf(collection)) {
    const lacks = payloads.some((payload) => typeof payload === 'object' && payload !== null && !(name in payload));
    if (lacks) throw invalidPayload(`"${name}" is required.`);
  }
}

async function chosenKeys(door: WriteDoor, work: TransactionWork, name: string, chosen: Chosen): Promise<readonly unknown[]> {
  return chosen.kind === 'keys' ? chosen.keys : door.reader.keys(work, name, chosen.parsed);
}

function conflictFields(query: string): readonly string[] | null {
  if (!query.includes('on_conflict')) return null;
  const value = new URLSearchParams(query).get('on_conflict');
  return value === null ? null : value.split(',').map((name) => name.trim());
}

/** The items in the order of their keys; null when they may not be read. */
async function listItems(
  door: WriteDoor,
  work: TransactionWork,
  name: string,
  parsed: ParsedQuery | null,
  keys: readonly Key[],
): Promise<string | null> {
  return parsed === null ? null : door.reader.itemsInOrder(work, name, parsed, keys);
}

async function listAnswer(
  door: WriteDoor,
  work: TransactionWork,
  name: string,
  parsed: ParsedQuery | null,
  keys: readonly Key[],
): Promise<Pending<WriteAnswer>> {
  const items = await listItems(door, work, name, parsed, keys);
  return items === null ? nothing : asAnswer(`{"data":[${items}]}`);
}

const keyParts = (key: Key): readonly unknown[] => (Array.isArray(key) ? key : [key]);

async function oneAnswer(
  door: WriteDoor,
  work: TransactionWork,
  { collection, query }: WriteOperation,
  parsed: ParsedQuery | null,
  key: readonly unknown[],
): Promise<Pending<WriteAnswer>> {
  return parsed === null ? nothing : itemAnswer(query, await door.reader.itemLater(work, collection, key, parsed));
}
