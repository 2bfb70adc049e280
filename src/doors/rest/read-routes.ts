// Reading over REST: lists, single items and singletons, by GET and by SEARCH (or QUERY, its successor), for every collection alike.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { goOnWith, type MaybeLater } from '../../core/engine/at-once.js';
import type { Reader } from '../../core/engine/reader.js';
import type { Work } from '../../core/engine/work.js';
import { invalidQuery } from '../../core/errors/service-error.js';
import { parseSearchBody } from '../../core/query/parse-search-body.js';
import { parseUrlQuery } from '../../core/query/parse-url-query.js';
import type { ParsedQuery, QueryLimits } from '../../core/query/query.js';
import type { Collection } from '../../core/schema/schema.js';
import { sendJson, streamText, writeJsonText } from '../http/send.js';
import { queryOf } from '../http/url-query.js';
import { makeTag } from './entity-tag.js';
import { type CollectionOf, collectionOf, lastSegment } from './item-target.js';
import { oneItem, sendExport } from './send-export.js';

export interface ReadDoor {
  readonly reader: Reader;
  readonly limits: QueryLimits;
  /** The item as a version of it has it; `item` is its text as it is. */
  applyVersion(work: Work, collection: string, segment: string, version: string, item: string): Promise<string>;
  /** The request's work outside of a transaction. */
  work(request: FastifyRequest): Work;
}

export function addReadRoutes(app: FastifyInstance, door: ReadDoor, path: string, target: CollectionOf): void {
  app.get(path, async (request, reply) =>
    answerList(door, request, reply, target(request), parseUrlQuery(queryOf(request), door.limits), null),
  );
  app.route({
    method: ['SEARCH', 'QUERY'],
    url: path,
    handler: async (request, reply) => {
      const collection = target(request);
      const { parsed, keys } = parseSearchBody(request.body, door.limits, parseUrlQuery(queryOf(request), door.limits));
      return answerList(door, request, reply, collection, parsed, keys);
    },
  });
  app.get(`${path}/:key`, (request, reply) => answerItem(door, request, reply, target(request)));
}

/** Without waiting where the item is there at once. */
function answerItem(door: ReadDoor, request: FastifyRequest, reply: FastifyReply, name: string): MaybeLater<FastifyReply> {
  const search = queryOf(request);
  const parsed = parseUrlQuery(search, door.limits);
  if (parsed.explain || parsed.version !== null || parsed.export !== null) return answerItemOtherwise(door, request, reply, name, parsed);
  const found = door.reader.itemBySegment(door.work(request), name, lastSegment(request), parsed);
  return goOnWith(found, (item) => sendItem(request, reply, search, item));
}

/** An item that is explained, as a version has it, or as a file. */
async function answerItemOtherwise(
  door: ReadDoor,
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  parsed: ParsedQuery,
): Promise<FastifyReply> {
  const [work, segment] = [door.work(request), lastSegment(request)];
  if (parsed.explain) return sendJson(request, reply, { data: await door.reader.explainBySegment(work, name, segment, parsed) });
  const main = await door.reader.itemBySegment(work, name, segment, parsed);
  const item = parsed.version === null ? main : await door.applyVersion(work, name, segment, parsed.version, main);
  if (parsed.export === null) return sendItem(request, reply, queryOf(request), item);
  const columns = door.reader.columns(work, name, parsed);
  return sendExport(request, reply, { name, format: parsed.export, columns, batches: oneItem(item) });
}

function sendItem(request: FastifyRequest, reply: FastifyReply, search: string, item: string): FastifyReply {
  return writeJsonText(request, reply, `{"data":${item}}`, { etag: makeTag(search, item) });
}

async function answerList(
  door: ReadDoor,
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  parsed: ParsedQuery,
  keys: readonly unknown[] | null,
): Promise<FastifyReply> {
  const work = { ...door.work(request), signal: request.context.signal };
  const { reader } = door;
  if (keys !== null) checkKeys(keys, collectionOf(work.caller, name), door.limits);
  if (parsed.explain) return sendJson(request, reply, { data: await reader.explain(work, name, parsed, keys) });
  const isGroup = parsed.query.aggregate.length > 0 || parsed.query.groupBy.length > 0;
  const isSingle = !isGroup && collectionOf(work.caller, name)?.singleton === true;
  if (isSingle && parsed.export === null) return writeJsonText(request, reply, `{"data":${await reader.singleton(work, name, parsed)}}`);
  if (parsed.export !== null) {
    const columns = reader.columns(work, name, parsed);
    const batches = isSingle ? oneItem(await reader.singleton(work, name, parsed)) : reader.stream(work, name, parsed, keys);
    return sendExport(request, reply, { name, format: parsed.export, columns, batches });
  }
  if (!isPagedByCursor(parsed) && reader.isLong(work, name, parsed)) {
    const meta = parsed.meta.length === 0 ? null : await reader.meta(work, name, parsed, keys);
    return streamText(request, reply, asDocument(reader.stream(work, name, parsed, keys), meta));
  }
  const { items, meta } = await reader.items(work, name, parsed, keys);
  return writeJsonText(request, reply, meta === null ? `{"data":[${items}]}` : `{"data":[${items}],"meta":${meta}}`);
}

/** A list of composite keys is as many conditions as they have parts. */
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
