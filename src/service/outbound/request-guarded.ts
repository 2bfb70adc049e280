// A whole request to an address that somebody else named: method, headers and body out, status, headers and a bounded body back.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type GuardOptions, type Outgoing, redirectOf, sendGuarded } from './send-guarded.js';

export interface RequestLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly maxRedirects: number;
}

export interface Incoming {
  readonly status: number;
  readonly statusText: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Rejects with a reason that tells nothing of internal hosts; an answer of any status resolves. */
export async function requestGuarded(
  first: Outgoing,
  options: GuardOptions,
  { timeoutMs, maxBytes, maxRedirects }: RequestLimits,
): Promise<Incoming> {
  const signal = AbortSignal.timeout(timeoutMs);
  let outgoing = first;
  try {
    for (let hops = 0; ; hops += 1) {
      const message = await sendGuarded(outgoing, options, signal);
      const next = maxRedirects === 0 ? null : redirectOf(message, outgoing.url);
      if (next === null) return await readAnswer(message, maxBytes);
      message.destroy();
      if (hops >= maxRedirects) throw new Unreachable('It redirects too often.');
      outgoing = followed(outgoing, next, message.statusCode ?? 0);
    }
  } catch (error) {
    if (error instanceof Unreachable) throw error;
    throw new Unreachable(signal.aborted ? `It did not answer within ${timeoutMs / 1000} s.` : 'It could not be reached.', error);
  }
}

/** Its message may be shown to whoever named the address. */
export class Unreachable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'Unreachable';
  }
}

/** As browsers do: only 307 and 308 repeat the body, and credentials stay with the host that they were meant for. */
function followed(outgoing: Outgoing, url: URL, status: number): Outgoing {
  const repeats = status === 307 || status === 308 || outgoing.method === 'GET' || outgoing.method === 'HEAD';
  const kept = Object.entries(outgoing.headers).filter(([name]) => {
    const header = name.toLowerCase();
    if (url.origin !== outgoing.url.origin && (header === 'authorization' || header === 'cookie')) return false;
    return repeats || !header.startsWith('content-');
  });
  const headers = Object.fromEntries(kept);
  return repeats ? { ...outgoing, url, headers } : { url, headers, method: 'GET', body: null };
}

async function readAnswer(message: IncomingMessage, maxBytes: number): Promise<Incoming> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of message) {
      length += (chunk as Buffer).length;
      if (length > maxBytes) throw new Unreachable(`Its answer is larger than ${maxBytes} bytes.`);
      chunks.push(chunk as Buffer);
    }
    if (!message.complete) throw new Error('the answer broke off');
  } finally {
    message.destroy();
  }
  const { statusCode: status = 0, statusMessage: statusText = '', headers } = message;
  return { status, statusText, headers, body: Buffer.concat(chunks).toString('utf8') };
}
