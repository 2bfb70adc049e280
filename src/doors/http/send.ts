// How answers leave: JSON that the database already wrote goes out as it is; long answers go out in pieces, as fast as the client reads.

import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { headersOfData } from './answer-headers.js';

const jsonType = 'application/json; charset=utf-8';

export function sendJson(request: FastifyRequest, reply: FastifyReply, value: unknown): FastifyReply {
  addServerTiming(request, reply);
  return reply.code(200).header('content-type', jsonType).send(JSON.stringify(value));
}

export interface WriteOptions {
  readonly status?: number;
  /** A strong entity tag with its quotes; a matching If-None-Match is answered by 304. */
  readonly etag?: string | null;
  readonly contentType?: string;
}

/**
 * For data: written past the framework, whose way out costs more than finding an item, and past its onSend hooks. `text` is JSON already and
 * is not looked at. The status is not the reply's, which is that of a failure where the request was tried again.
 */
export function writeJsonText(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
  { status = 200, etag = null, contentType = jsonType }: WriteOptions = {},
): FastifyReply {
  addServerTiming(request, reply);
  const headers = headersOfData(request, reply);
  const { raw } = reply.hijack();
  if (etag !== null) headers.push('etag', etag);
  if (etag !== null && matchesEtag(request.headers['if-none-match'], etag)) {
    raw.writeHead(304, headers).end();
    return reply;
  }
  const length = Buffer.byteLength(text);
  headers.push('content-type', contentType, 'content-length', String(length));
  raw.writeHead(status, headers);
  if (request.raw.method !== 'HEAD') writeAlone(raw, text, length === text.length);
  raw.end();
  return reply;
}

/**
 * `end(text)` would put an empty piece behind the text, and gathering two pieces costs the socket more than writing one; a corked socket
 * needs no turn of the queue to be uncorked. Text that is all ASCII has the same bytes in Latin-1, which are copied where UTF-8 is counted
 * and encoded.
 */
function writeAlone(raw: ServerResponse, text: string, isAscii: boolean): void {
  raw.socket?.cork();
  raw.write(text, isAscii ? 'latin1' : 'utf8');
  raw.socket?.uncork();
}

export const sendNothing = (reply: FastifyReply): FastifyReply => reply.code(204).send();

/**
 * Sends the chunks with back-pressure. The first one is awaited before anything leaves, so that what fails early is still an error
 * answer; a later failure cuts the connection. When the client goes away the iteration is ended.
 */
export async function streamText(
  request: FastifyRequest,
  reply: FastifyReply,
  chunks: AsyncIterable<string>,
  contentType = jsonType,
): Promise<FastifyReply> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  addServerTiming(request, reply);
  const stream = Readable.from(resume(first, iterator), { objectMode: false, highWaterMark: 64 * 1024 });
  return reply.header('content-type', contentType).send(stream);
}

async function* resume(first: IteratorResult<string>, iterator: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    for (let step = first; !step.done; step = await iterator.next()) yield step.value;
  } finally {
    await iterator.return?.();
  }
}

export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header === '*' || header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}

function addServerTiming(request: FastifyRequest, reply: FastifyReply): void {
  if (!request.context.isAdmin) return;
  const timing = request.context.serverTiming;
  if (timing !== null) reply.header('server-timing', timing);
}
