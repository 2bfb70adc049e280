// One write over REST as a value: what a request, or an entry of a batch, asks for. Preparing it checks the query of its answer, so that
// nothing is written for an answer that cannot be given; running it happens inside a transaction that others may share.

import { type Caller, findCollection } from '../../../core/access/view.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import type { AfterFlush, Key } from '../../../core/engine/work/work.js';
import { isInParts, type Payloads } from '../../../core/engine/write/in-parts.js';
import { invalidQuery, routeNotFound } from '../../../core/errors/service-error.js';
import { parseUrlQuery } from '../../../core/query/parse/parse-url-query.js';
import type { ParsedQuery } from '../../../core/query/query.js';
import { checkMatch } from './check-match.js';
import { makeTag } from './entity-tag.js';
import { collectionOf, type ItemDeps, keyOfSegment } from './item-target.js';
import { type Chosen, parseDeleteBody, parseUpdateBody } from './write-body.js';

export interface WriteOperation {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly collection: string;
  /** The key as encoded in the path; null: the operation concerns the list. */
  readonly segment: string | null;
  /** The query string, without its question mark. */
  readonly query: string;
  readonly body: unknown;
  readonly ifMatch: string | null;
  /** The URL for ROUTE_NOT_FOUND errors. */
  readonly url: string;
}

/** `text` is null when there is nothing to say, or nothing the caller may read. */
interface WriteAnswer {
  readonly text: string | null;
  readonly etag: string | null;
}

/** The answer is complete once the transaction has sent all its statements. */
export type RunWrite = (work: TransactionWork) => Promise<AfterFlush<WriteAnswer>>;

const nothing: AfterFlush<WriteAnswer> = () => ({ text: null, etag: null });

export function prepareWrite(deps: ItemDeps, caller: Caller, operation: WriteOperation): RunWrite {
  if (operation.query.includes('version')) refuseVersion(parseUrlQuery(operation.query, deps.limits));
  switch (operation.method) {
    case 'POST':
      return prepareCreate(deps, caller, operation);
    case 'PATCH':
      return operation.segment === null
        ? prepareUpdateList(deps, caller, operation)
        : prepareUpdateOne(deps, caller, operation, operation.segment);
    case 'DELETE':
      return prepareDelete(deps, operation);
  }
}

function prepareCreate(deps: ItemDeps, caller: Caller, operation: WriteOperation): RunWrite {
  const { collection, query, body = {}, url } = operation;
  if (operation.segment !== null || isSingleton(caller, collection)) throw routeNotFound(url);
  const parsed = readable(deps, caller, operation);
  if (isInParts(body)) return (work) => createMany(deps, work, collection, body, parsed);
  const payloads: readonly unknown[] = Array.isArray(body) ? body : [body];
  const conflict = conflictFields(query);
  return async (work) => {
    if (conflict !== null) {
      const { keys, created, updated } = await deps.writer.upsert(work, collection, payloads, conflict);
      const data = await listItems(deps, work, collection, parsed, keys);
      return data === null ? nothing : asAnswer(`{"data":[${data}],"meta":${JSON.stringify({ created, updated })}}`);
    }
    return Array.isArray(body) ? createMany(deps, work, collection, payloads, parsed) : createOne(deps, work, operation, parsed);
  };
}

async function createOne(
  deps: ItemDeps,
  work: TransactionWork,
  operation: WriteOperation,
  parsed: ParsedQuery | null,
): Promise<AfterFlush<WriteAnswer>> {
  const { collection, query, body = {} } = operation;
  const wanted = parsed === null ? null : deps.reader.newItem(work, collection, parsed);
  const { key, text } = await deps.writer.createOne(work, collection, body, wanted);
  return text === null ? oneAnswer(deps, work, operation, parsed, key) : itemAnswer(query, text);
}

async function createMany(
  deps: ItemDeps,
  work: TransactionWork,
  collection: string,
  payloads: Payloads,
  parsed: ParsedQuery | null,
): Promise<AfterFlush<WriteAnswer>> {
  const wanted = parsed === null ? null : deps.reader.newItems(work, collection, parsed);
  const { keys, texts } = await deps.writer.createMany(work, collection, payloads, wanted);
  return texts === null ? listAnswer(deps, work, collection, parsed, keys) : asAnswer(`{"data":[${texts.join(',')}]}`);
}

const asAnswer =
  (text: string): AfterFlush<WriteAnswer> =>
  () => ({ text, etag: null });

/** Answers nothing if the caller may not read what was written. */
const itemAnswer =
  (query: string, text: AfterFlush<string | null>): AfterFlush<WriteAnswer> =>
  () => {
    const item = text();
    return item === null ? nothing() : { text: `{"data":${item}}`, etag: makeTag(query, item) };
  };

function prepareUpdateList(deps: ItemDeps, caller: Caller, operation: WriteOperation): RunWrite {
  const { collection } = operation;
  const parsed = readable(deps, caller, operation);
  if (isSingleton(caller, collection))
    return async (work) =>
      oneAnswer(deps, work, operation, parsed, keyParts(await deps.writer.updateSingleton(work, collection, operation.body)));
  const body = parseUpdateBody(operation.body, deps.limits);
  return async (work) => {
    const keys =
      body.kind === 'batch'
        ? await deps.writer.updateBatch(work, collection, body.items)
        : await deps.writer.update(work, collection, await chosenKeys(deps, work, collection, body.chosen), body.data);
    return listAnswer(deps, work, collection, parsed, keys);
  };
}

function prepareUpdateOne(deps: ItemDeps, caller: Caller, operation: WriteOperation, segment: string): RunWrite {
  const { collection, body, url } = operation;
  if (isSingleton(caller, collection)) throw routeNotFound(url);
  const parsed = readable(deps, caller, operation);
  return async (work) => {
    await matchFirst(deps, work, operation, segment);
    const [written] = await deps.writer.update(work, collection, [keyOfSegment(caller, collection, segment)], body);
    return written === undefined ? nothing : oneAnswer(deps, work, operation, parsed, keyParts(written));
  };
}

function prepareDelete(deps: ItemDeps, operation: WriteOperation): RunWrite {
  const { collection, segment } = operation;
  if (segment === null) {
    const chosen = parseDeleteBody(operation.body, deps.limits);
    return async (work) => {
      await deps.writer.delete(work, collection, await chosenKeys(deps, work, collection, chosen));
      return nothing;
    };
  }
  return async (work) => {
    await matchFirst(deps, work, operation, segment);
    await deps.writer.delete(work, collection, [keyOfSegment(work.caller, collection, segment)]);
    return nothing;
  };
}

async function matchFirst(deps: ItemDeps, work: TransactionWork, { collection, ifMatch }: WriteOperation, segment: string): Promise<void> {
  if (ifMatch !== null) await checkMatch(deps, work, collection, segment, ifMatch);
}

const isSingleton = (caller: Caller, name: string): boolean => collectionOf(caller, name)?.singleton === true;

const readable = (deps: ItemDeps, caller: Caller, { collection, query }: WriteOperation): ParsedQuery | null =>
  checkAnswer(deps, caller, collection, parseUrlQuery(query, deps.limits));

/** The query of the answer, checked; null: the caller may not read this collection at all. */
export function checkAnswer(deps: ItemDeps, caller: Caller, collection: string, parsed: ParsedQuery): ParsedQuery | null {
  refuseVersion(parsed);
  if (findCollection(caller.view, collection, 'read') === null) return null;
  deps.reader.check({ caller }, collection, parsed);
  return parsed;
}

/** A write with a version would change the item itself: no client that names a version means that. */
function refuseVersion({ version }: ParsedQuery): void {
  if (version !== null) throw invalidQuery('"version" is for reading: changes are saved into a version with POST /versions/{id}/save.');
}

async function chosenKeys(deps: ItemDeps, work: TransactionWork, name: string, chosen: Chosen): Promise<readonly unknown[]> {
  if (chosen.kind === 'keys') return chosen.keys;
  refuseVersion(chosen.parsed);
  return deps.reader.keys(work, name, chosen.parsed);
}

function conflictFields(query: string): readonly string[] | null {
  if (!query.includes('on_conflict')) return null;
  const value = new URLSearchParams(query).get('on_conflict');
  return value === null ? null : value.split(',').map((name) => name.trim());
}

/** The items in the order of their keys; null when they may not be read. */
async function listItems(
  deps: ItemDeps,
  work: TransactionWork,
  name: string,
  parsed: ParsedQuery | null,
  keys: readonly Key[],
): Promise<string | null> {
  return parsed === null ? null : deps.reader.itemsInOrder(work, name, parsed, keys);
}

async function listAnswer(
  deps: ItemDeps,
  work: TransactionWork,
  name: string,
  parsed: ParsedQuery | null,
  keys: readonly Key[],
): Promise<AfterFlush<WriteAnswer>> {
  const items = await listItems(deps, work, name, parsed, keys);
  return items === null ? nothing : asAnswer(`{"data":[${items}]}`);
}

const keyParts = (key: Key): readonly unknown[] => (Array.isArray(key) ? key : [key]);

async function oneAnswer(
  deps: ItemDeps,
  work: TransactionWork,
  { collection, query }: WriteOperation,
  parsed: ParsedQuery | null,
  key: readonly unknown[],
): Promise<AfterFlush<WriteAnswer>> {
  return parsed === null ? nothing : itemAnswer(query, await deps.reader.enqueueItem(work, collection, key, parsed));
}
