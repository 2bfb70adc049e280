// Writing over REST: create, update and delete for every collection alike. One request is one transaction, its answer included; what
// the caller may not read afterwards is answered by 204.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Pending } from '../../core/engine/gathering-connection.js';
import type { TransactionWork } from '../../core/engine/transaction.js';
import type { KeptAnswer } from '../../service/utilities/idempotency.js';
import { queryOf } from '../http/url-query.js';
import { answerWhenSent } from './answer-once.js';
import { type CollectionOf, lastSegment } from './item-target.js';
import type { WriteDoor } from './write-door.js';
import { prepareWrite, type WriteOperation } from './write-operation.js';

export function addItemWriteRoutes(app: FastifyInstance, door: WriteDoor, path: string, target: CollectionOf): void {
  app.post(path, { config: { listsInParts } }, async (request, reply) => createItems(door, request, reply, target(request)));
  addChangeRoutes(app, door, path, target);
}

/** The same for the service's own collections, whose few items are looked at as a whole. */
export function addWriteRoutes(app: FastifyInstance, door: WriteDoor, path: string, target: CollectionOf): void {
  app.post(path, async (request, reply) => createItems(door, request, reply, target(request)));
  addChangeRoutes(app, door, path, target);
}

function addChangeRoutes(app: FastifyInstance, door: WriteDoor, path: string, target: CollectionOf): void {
  app.patch(path, async (request, reply) => write(door, request, reply, operationOf(request, 'PATCH', target(request), null)));
  app.patch(`${path}/:key`, async (request, reply) => updateOne(door, request, reply, target(request)));
  app.delete(path, async (request, reply) => write(door, request, reply, operationOf(request, 'DELETE', target(request), null)));
  app.delete(`${path}/:key`, async (request, reply) =>
    write(door, request, reply, operationOf(request, 'DELETE', target(request), lastSegment(request))),
  );
}

/** Who writes once under a key, or looks for what is there already, has to see the whole list. */
const listsInParts = ({ headers, url }: FastifyRequest): boolean =>
  headers['idempotency-key'] === undefined && !url.includes('on_conflict');

/** `asked`: what the request said, where its body has been made from it. */
export const createItems = (
  door: WriteDoor,
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  asked?: unknown,
): Promise<FastifyReply> => write(door, request, reply, operationOf(request, 'POST', name, null), asked);

/** `segment`: the key as a path carries it. */
export const updateOne = (
  door: WriteDoor,
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  segment: string = lastSegment(request),
): Promise<FastifyReply> => write(door, request, reply, operationOf(request, 'PATCH', name, segment));

function operationOf(
  request: FastifyRequest,
  method: WriteOperation['method'],
  collection: string,
  segment: string | null,
): WriteOperation {
  const ifMatch = request.headers['if-match'] ?? null;
  return { method, collection, segment, query: queryOf(request), body: request.body, ifMatch, url: request.url };
}

async function write(
  door: WriteDoor,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: WriteOperation,
  asked?: unknown,
): Promise<FastifyReply> {
  const run = prepareWrite(door, request.context.caller, operation);
  const act = async (work: TransactionWork): Promise<Pending<KeptAnswer>> => {
    const answer = await run(work);
    return () => {
      const { text, etag } = answer();
      if (etag !== null) reply.header('etag', etag);
      return { status: text === null ? 204 : 200, text };
    };
  };
  return answerWhenSent(door, request, reply, act, { asked });
}
