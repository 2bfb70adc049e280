// Writing over REST: create, update and delete for every collection alike. One request is one transaction, its answer included; what
// the caller may not read afterwards is answered by 204.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TransactionWork, WriteOptions } from '../../core/engine/work/transaction.js';
import type { AfterFlush } from '../../core/engine/work/work.js';
import type { Writer } from '../../core/engine/write/writer.js';
import { isPlainObject } from '../../core/util/plain-object.js';
import { prepareWrite, type WriteOperation } from '../../service/operations/items/write-operation.js';
import type { Idempotency, KeptAnswer, KeyedRequest } from '../../service/utilities/idempotency.js';
import { writeJsonText } from '../http/answer/send.js';
import { revisionListener, tellRevisions } from '../http/answer/tell-revisions.js';
import { queryOf } from '../http/request/url-query.js';
import { type CollectionOf, lastSegment } from './item-target.js';
import type { ReadRouteDeps } from './read-routes.js';

export interface WriteRouteDeps extends ReadRouteDeps {
  readonly writer: Writer;
  readonly idempotency: Idempotency;
}

export function addItemWriteRoutes(app: FastifyInstance, door: WriteRouteDeps, path: string, target: CollectionOf): void {
  app.post(path, { config: { listsInParts } }, async (request, reply) => createItems(door, request, reply, target(request)));
  addChangeRoutes(app, door, path, target);
}

/** Routes for the service's own collections, whose bodies are small and read as a whole. */
export function addWriteRoutes(app: FastifyInstance, door: WriteRouteDeps, path: string, target: CollectionOf): void {
  app.post(path, async (request, reply) => createItems(door, request, reply, target(request)));
  addChangeRoutes(app, door, path, target);
}

function addChangeRoutes(app: FastifyInstance, door: WriteRouteDeps, path: string, target: CollectionOf): void {
  app.patch(path, async (request, reply) => write(door, request, reply, operationOf(request, 'PATCH', target(request), null)));
  app.patch(`${path}/:key`, async (request, reply) =>
    write(door, request, reply, operationOf(request, 'PATCH', target(request), lastSegment(request))),
  );
  app.delete(path, async (request, reply) => write(door, request, reply, operationOf(request, 'DELETE', target(request), null)));
  app.delete(`${path}/:key`, async (request, reply) =>
    write(door, request, reply, operationOf(request, 'DELETE', target(request), lastSegment(request))),
  );
}

/**
 * Whether a list in the body may be read in parts. Not with an Idempotency-Key, whose fingerprint covers the whole body, and not with
 * `on_conflict`, which compares all items.
 */
const listsInParts = ({ headers, url }: FastifyRequest): boolean =>
  headers['idempotency-key'] === undefined && !url.includes('on_conflict');

const createItems = (door: WriteRouteDeps, request: FastifyRequest, reply: FastifyReply, name: string): Promise<FastifyReply> =>
  write(door, request, reply, operationOf(request, 'POST', name, null));

/** `segment`: the key as a path carries it. */
function operationOf(
  request: FastifyRequest,
  method: WriteOperation['method'],
  collection: string,
  segment: string | null,
): WriteOperation {
  const ifMatch = request.headers['if-match'] ?? null;
  return { method, collection, segment, query: queryOf(request), body: request.body, ifMatch, url: request.url };
}

async function write(door: WriteRouteDeps, request: FastifyRequest, reply: FastifyReply, operation: WriteOperation): Promise<FastifyReply> {
  const run = prepareWrite(door, request.context.caller, operation);
  const act = async (work: TransactionWork): Promise<AfterFlush<KeptAnswer>> => {
    const answer = await run(work);
    return () => {
      const { text, etag } = answer();
      if (etag !== null) reply.header('etag', etag);
      return { status: text === null ? 204 : 200, text };
    };
  };
  const { answer, replayed } = await door.idempotency.run(request.context.caller, keyedRequest(request), act, choicesOf(request));
  if (replayed) reply.header('idempotent-replayed', 'true');
  if (request.context.revisions !== null) await tellRevisions(door, request, reply, door.work(request));
  noteUnused(request, reply, operation);
  const { status, text } = answer;
  return text === null ? reply.code(status).send() : writeJsonText(request, reply, text, { status });
}

/** Names in the answer what was sent and is kept by other versions of the protocol only. */
function noteUnused({ context }: FastifyRequest, reply: FastifyReply, { collection: name, body }: WriteOperation): void {
  const { unused } = context.caller.view.schema.collections.get(name) ?? { unused: new Map() };
  if (unused.size === 0 || !isPlainObject(body)) return;
  const names = Object.keys(body).filter((key) => unused.get(key) === 'any' && body[key] !== null);
  if (names.length > 0) reply.header('warning', `299 - "Not stored: ${names.join(', ')}"`);
}

const choicesOf = (request: FastifyRequest): WriteOptions => ({ clock: request.context.clock, onRevisions: revisionListener(request) });

function keyedRequest(request: FastifyRequest): KeyedRequest | null {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return null;
  return { key, content: JSON.stringify([request.method, request.url.split('?')[0], queryOf(request), request.body ?? null]) };
}
