// Reading over REST: lists, single items and singletons, by GET and by SEARCH (or QUERY, its successor), for every collection alike.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { lookUpCollection } from '../../core/access/view.js';
import { parseKeySegment } from '../../core/engine/read/item-key.js';
import type { Reader } from '../../core/engine/read/reader.js';
import { type MaybePromise, whenReady } from '../../core/engine/work/maybe-promise.js';
import type { Work } from '../../core/engine/work/work.js';
import { invalidQuery } from '../../core/errors/service-error.js';
import { parseSearchBody } from '../../core/query/parse/parse-search-body.js';
import type { ExportFormat, ParsedQuery, QueryLimits } from '../../core/query/query.js';
import type { Collection } from '../../core/schema/schema.js';
import type { VersionReader } from '../../service/history/versions/version-reader.js';
import { makeTag } from '../../service/operations/items/entity-tag.js';
import { collectionOf } from '../../service/operations/items/item-target.js';
import { dispositionOf, exportFacts } from '../../service/utilities/export/export-items.js';
import { beginReading, sendJson, streamText, writeJsonText } from '../http/answer/send.js';
import { parseQuery, queryOf } from '../http/request/url-query.js';
import { type CollectionOf, lastSegment } from './item-target.js';

export interface ReadRouteDeps {
  readonly reader: Reader;
  readonly limits: QueryLimits;
  /** Answers requests with `?version=`. */
  readonly versions: VersionReader;
  /** The request's work outside of a transaction. */
  work(request: FastifyRequest): Work;
  /** Answers a list as events, for as long as the client stays. */
  follow(request: FastifyRequest, reply: FastifyReply, collection: string, parsed: ParsedQuery): Promise<FastifyReply>;
}

export function addReadRoutes(app: FastifyInstance, door: ReadRouteDeps, path: string, target: CollectionOf): void {
  app.get(path, async (request, reply) => {
    const [collection, parsed] = [target(request), parseQuery(request, door.limits)];
    return wantsEvents(request)
      ? door.follow(request, reply, collection, parsed)
      : answerList(door, request, reply, collection, parsed, null);
  });
  app.route({
    method: ['SEARCH', 'QUERY'],
    url: path,
    handler: async (request, reply) => {
      const collection = target(request);
      const { parsed, keys } = parseSearchBody(request.body, door.limits, parseQuery(request, door.limits));
      return answerList(door, request, reply, collection, parsed, keys);
    },
  });
  app.get(`${path}/:key`, (request, reply) => answerItem(door, request, reply, target(request)));
}

const wantsEvents = ({ headers, method }: FastifyRequest): boolean =>
  headers.accept?.startsWith('text/event-stream') === true && method === 'GET';

/** Returns no promise if the item can be read synchronously. */
function answerItem(door: ReadRouteDeps, request: FastifyRequest, reply: FastifyReply, name: string): MaybePromise<FastifyReply> {
  const search = queryOf(request);
  const parsed = parseQuery(request, door.limits);
  if (parsed.explain || parsed.version !== null || parsed.export !== null) return answerItemOtherwise(door, request, reply, name, parsed);
  const found = door.reader.itemBySegment(door.work(request), name, lastSegment(request), parsed);
  return whenReady(found, (item) => sendItem(request, reply, search, item));
}

/** Answers an item with `explain`, with `version` or as an export. */
async function answerItemOtherwise(
  door: ReadRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  parsed: ParsedQuery,
): Promise<FastifyReply> {
  const [work, segment] = [door.work(request), lastSegment(request)];
  refuseExplained(parsed);
  if (parsed.explain) return sendJson(request, reply, { data: await door.reader.explainBySegment(work, name, segment, parsed) });
  const key = parseKeySegment(lookUpCollection(work.caller.view, name, 'read'), segment);
  const item = await (parsed.version === null ? door.reader : door.versions).item(work, name, key, parsed);
  if (parsed.export === null) return sendItem(request, reply, queryOf(request), item);
  const columns = door.reader.columns(work, name, parsed);
  return sendExport(request, reply, { name, format: parsed.export, columns, batches: oneBatch([item]) });
}

function sendItem(request: FastifyRequest, reply: FastifyReply, search: string, item: string): FastifyReply {
  return writeJsonText(request, reply, `{"data":${item}}`, { etag: makeTag(search, item) });
}

async function answerList(
  door: ReadRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  parsed: ParsedQuery,
  keys: readonly unknown[] | null,
): Promise<FastifyReply> {
  const work = door.work(request);
  const { reader } = door;
  if (keys !== null) checkKeys(keys, collectionOf(work.caller, name), door.limits);
  refuseExplained(parsed);
  if (parsed.explain) return sendJson(request, reply, { data: await reader.explain(work, name, parsed, keys) });
  if (parsed.version !== null) return answerVersions(door, request, reply, { work, name, parsed, keys });
  const isSingle = !isGrouped(parsed) && collectionOf(work.caller, name)?.singleton === true;
  if (isSingle && parsed.export === null) return writeJsonText(request, reply, `{"data":${await reader.singleton(work, name, parsed)}}`);
  if (parsed.export !== null) {
    const columns = reader.columns(work, name, parsed);
    const batches = isSingle ? oneBatch([await reader.singleton(work, name, parsed)]) : reader.stream(work, name, parsed, keys);
    return sendExport(request, reply, { name, format: parsed.export, columns, batches });
  }
  if (!isPagedByCursor(parsed) && reader.isLong(work, name, parsed)) {
    const meta = parsed.meta.length === 0 ? null : await reader.meta(work, name, parsed, keys);
    return streamText(request, reply, asDocument(reader.stream(work, name, parsed, keys), meta));
  }
  const { items, meta } = await reader.items(work, name, parsed, keys);
  return writeJsonText(request, reply, meta === null ? `{"data":[${items}]}` : `{"data":[${items}],"meta":${meta}}`);
}

/** A version cannot be explained: its items are read after its changes were rehearsed, not by one statement. */
function refuseExplained({ explain, version }: ParsedQuery): void {
  if (explain && version !== null) throw invalidQuery('"explain" describes how the items themselves are read: leave out "version".');
}

interface VersionsQuestion {
  readonly work: Work;
  readonly name: string;
  readonly parsed: ParsedQuery;
  readonly keys: readonly unknown[] | null;
}

/** A list of items as a version has them, which is read as a whole. */
async function answerVersions(
  { versions, reader }: ReadRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { work, name, parsed, keys }: VersionsQuestion,
): Promise<FastifyReply> {
  const isSingle = !isGrouped(parsed) && collectionOf(work.caller, name)?.singleton === true;
  const { items, meta } = isSingle
    ? { items: await versions.singleton(work, name, parsed), meta: null }
    : await versions.items(work, name, parsed, keys);
  if (parsed.export !== null) {
    const columns = reader.columns(work, name, parsed);
    const texts = (JSON.parse(`[${items}]`) as readonly unknown[]).map((item) => JSON.stringify(item));
    return sendExport(request, reply, { name, format: parsed.export, columns, batches: oneBatch(texts) });
  }
  const data = isSingle ? items : `[${items}]`;
  return writeJsonText(request, reply, meta === null ? `{"data":${data}}` : `{"data":${data},"meta":${meta}}`);
}

const isGrouped = ({ query }: ParsedQuery): boolean => query.aggregate.length > 0 || query.groupBy.length > 0;

/** Each composite key makes as many conditions as it has parts, so the keys count against the limit of nodes. */
function checkKeys(keys: readonly unknown[], collection: Collection | undefined, { maxNodes }: QueryLimits): void {
  const parts = collection?.primaryKey.length ?? 1;
  if (parts > 1 && keys.length * parts > maxNodes)
    throw invalidQuery(`"keys" has more than ${Math.floor(maxNodes / parts)} composite keys: send it in parts.`);
}

const isPagedByCursor = (parsed: ParsedQuery): boolean => parsed.cursor !== null || parsed.meta.includes('cursor');

async function* asDocument(batches: AsyncIterable<readonly string[]>, meta: string | null): AsyncGenerator<string> {
  let separator = '{"data":[';
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield separator + batch.join(',');
    separator = ',';
  }
  yield `${separator === ',' ? '' : separator}]${meta === null ? '' : `,"meta":${meta}`}}`;
}

interface ExportedList {
  readonly name: string;
  readonly format: ExportFormat;
  readonly columns: ReturnType<Reader['columns']>;
  readonly batches: AsyncIterable<readonly string[]>;
}

/** Streams a list as a file to download. */
async function sendExport(request: FastifyRequest, reply: FastifyReply, list: ExportedList): Promise<FastifyReply> {
  const { contentType, write } = exportFacts[list.format];
  // Waits for the first items before anything is written, so that an early error is still answered as one.
  const body = write(await beginReading(request, list.batches), list.columns);
  reply.header('content-disposition', dispositionOf(list.name, list.format, new Date()));
  return streamText(request, reply, body, contentType);
}

async function* oneBatch(texts: readonly string[]): AsyncGenerator<readonly string[]> {
  yield texts;
}
