// Sends answers: JSON text from the database is passed through, and long answers are streamed as fast as the client reads.

import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { headersOfData } from './answer-headers.js';
import { chooseEncoding, compress, compressor, type Encoding, leastCompressed } from './compress.js';

const jsonType = 'application/json; charset=utf-8';

export function sendJson(request: FastifyRequest, reply: FastifyReply, value: unknown): FastifyReply {
  const text = JSON.stringify(value);
  addServerTiming(request, reply);
  return sendText(request, reply.code(200), text, jsonType);
}

/** Sends text by way of the framework, with the status of the reply. */
export function sendText(request: FastifyRequest, reply: FastifyReply, text: string, contentType: string): FastifyReply {
  reply.header('content-type', contentType);
  const encoding = encodingOf(request, text.length);
  if (encoding === null) return reply.send(text);
  compress(text, encoding).then(
    (content) => reply.header('content-encoding', encoding).send(content),
    (error: unknown) => reply.send(error),
  );
  return reply;
}

/** Null: the answer is sent as it is. Clients that do not ask for compression pay nothing for it. */
function encodingOf({ raw: { headers, method } }: FastifyRequest, length: number): Encoding | null {
  const accepted = headers['accept-encoding'];
  return accepted === undefined || length < leastCompressed || method === 'HEAD' ? null : chooseEncoding(String(accepted));
}

export interface WriteOptions {
  readonly status?: number;
  /** A strong entity tag with its quotes; a matching If-None-Match is answered with 304. */
  readonly etag?: string | null;
  readonly contentType?: string;
}

/**
 * Sends JSON text around the framework, whose way to send an answer costs more than reading an item; its onSend hooks do not run. The status
 * of the reply is ignored: after a request was run again it is that of the first failure.
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
  headers.push('content-type', contentType);
  const encoding = encodingOf(request, text.length);
  if (encoding !== null) {
    void writeCompressed(request, raw, text, { status, headers, encoding });
    return reply;
  }
  const length = Buffer.byteLength(text);
  headers.push('content-length', String(length));
  raw.writeHead(status, headers);
  if (request.raw.method !== 'HEAD') writeAlone(raw, text, length === text.length);
  raw.end();
  return reply;
}

interface CompressedAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeader[];
  readonly encoding: Encoding;
}

async function writeCompressed(
  request: FastifyRequest,
  raw: ServerResponse,
  text: string,
  { status, headers, encoding }: CompressedAnswer,
): Promise<void> {
  try {
    const content = await compress(text, encoding);
    headers.push('content-encoding', encoding, 'content-length', String(content.length));
    raw.writeHead(status, headers).end(content);
  } catch (error) {
    request.log.error({ err: error, requestId: request.id }, 'an answer could not be compressed');
    raw.destroy();
  }
}

/**
 * Writes the text as one piece. `end(text)` would add an empty piece, and gathering two pieces costs the socket more than writing one; corking
 * the socket sends head and body together without another turn of the event loop. ASCII text has the same bytes in Latin-1, which Node copies
 * instead of encoding.
 */
function writeAlone(raw: ServerResponse, text: string, isAscii: boolean): void {
  raw.socket?.cork();
  raw.write(text, isAscii ? 'latin1' : 'utf8');
  raw.socket?.uncork();
}

export const sendNothing = (reply: FastifyReply): FastifyReply => reply.code(204).send();

/**
 * Streams the chunks with back-pressure. It waits for the first chunk before it sends anything, so that an early failure is still answered as
 * an error; a later one cuts the connection. The iteration ends when the client disconnects.
 */
export async function streamText(
  request: FastifyRequest,
  reply: FastifyReply,
  chunks: AsyncIterable<string>,
  contentType = jsonType,
): Promise<FastifyReply> {
  const started = await beginReading(request, chunks);
  addServerTiming(request, reply);
  const stream = Readable.from(started, { objectMode: false, highWaterMark: 64 * 1024 });
  reply.header('content-type', contentType);
  const encoding = encodingOf(request, Number.POSITIVE_INFINITY);
  if (encoding === null) return reply.send(stream);
  // When either end fails, the other is destroyed; what was sent so far is cut off then, as it is without compression.
  return reply.header('content-encoding', encoding).send(pipeline(stream, compressor(encoding), () => undefined));
}

/** Waits for the first part: a failure up to there can still be answered as an error. */
export async function beginReading<T>({ context: { clock } }: FastifyRequest, parts: AsyncIterable<T>): Promise<AsyncGenerator<T>> {
  const iterator = parts[Symbol.asyncIterator]();
  const first = await (clock === null ? iterator.next() : clock.run(() => iterator.next()));
  return resume(first, iterator);
}

async function* resume<T>(first: IteratorResult<T>, iterator: AsyncIterator<T>): AsyncGenerator<T> {
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

/** Administrators only: the time that a statement takes may reveal what the caller may not see. */
function addServerTiming({ context: { clock, isAdmin, sendsTiming } }: FastifyRequest, reply: FastifyReply): void {
  if (clock !== null && sendsTiming && isAdmin) reply.header('server-timing', clock.header());
}
