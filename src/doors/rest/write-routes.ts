// Writing over REST: create, update and delete for every collection alike. One request is one transaction, its answer included; what
// the caller may not read afterwards is answered by 204.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TransactionChoices, TransactionWork } from '../../core/engine/transaction.js';
import type { KeptAnswer, KeyedRequest } from '../../service/utilities/idempotency.js';
import { sendJsonText, sendNothing } from '../http/send.js';
import { type CollectionOf, lastSegment, queryOf } from './item-target.js';
import type { WriteDoor } from './write-door.js';
import { prepareWrite, type WriteOperation } from './write-operation.js';

export function addWriteRoutes(app: FastifyInstance, door: WriteDoor, path: string, target: CollectionOf): void {
  app.post(path, async (request, reply) => createItems(door, request, reply, target(request)));
  app.patch(path, async (request, reply) => write(door, request, reply, operationOf(request, 'PATCH', target(request), null)));
  app.patch(`${path}/:key`, async (request, reply) => updateOne(door, request, reply, target(request)));
  app.delete(path, async (request, reply) => write(door, request, reply, operationOf(request, 'DELETE', target(request), null)));
  app.delete(`${path}/:key`, async (request, reply) =>
    write(door, request, reply, operationOf(request, 'DELETE', target(request), lastSegment(request))),
  );
}

export const createItems = (door: WriteDoor, request: FastifyRequest, reply: FastifyReply, name: string): Promise<FastifyReply> =>
  write(door, request, reply, operationOf(request, 'POST', name, null));

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

async function write(door: WriteDoor, request: FastifyRequest, reply: FastifyReply, operation: WriteOperation): Promise<FastifyReply> {
  const run = prepareWrite(door, request.context.caller, operation);
  const act = async (work: TransactionWork): Promise<KeptAnswer> => {
    const { text, etag } = await run(work);
    if (etag !== null) reply.header('etag', etag);
    return { status: text === null ? 204 : 200, text };
  };
  return answerOnce(door, request, reply, act, { ends: true });
}

/** In one transaction, and under an idempotency key only once. */
export async function answerOnce(
  door: WriteDoor,
  request: FastifyRequest,
  reply: FastifyReply,
  act: (work: TransactionWork) => Promise<KeptAnswer>,
  choices: TransactionChoices = {},
): Promise<FastifyReply> {
  const { answer, replayed } = await door.idempotency.run(request.context.caller, keyedRequest(request), act, choices);
  if (replayed) reply.header('idempotent-replayed', 'true');
  return answer.text === null ? sendNothing(reply) : sendJsonText(request, reply, answer.text, { status: answer.status });
}

function keyedRequest(request: FastifyRequest): KeyedRequest | null {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return null;
  return { key, content: JSON.stringify([request.method, request.url.split('?')[0], queryOf(request), request.body ?? null]) };
}
