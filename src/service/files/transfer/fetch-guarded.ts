// Fetches the content of a URL that a client named, by the guarded way out, which checks every redirect again. All failures give the same
// message, so that a client learns nothing about internal hosts.

import type { IncomingMessage } from 'node:http';
import { refusal } from '../../../core/errors/refusals.js';
import { refusalError, type ServiceError } from '../../../core/errors/service-error.js';
import { type GuardOptions, redirectOf, sendGuarded } from '../../outbound/send-guarded.js';

export interface Fetched {
  /** The URL after redirects. */
  readonly url: URL;
  readonly type: string;
  /** The Content-Length; null if the response has none. */
  readonly length: number | null;
  /** Throws the same error if the response breaks off or the time limit passes. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface FetchOptions extends GuardOptions {
  readonly timeoutMs: number;
}

const maxRedirects = 3;

export async function fetchGuarded(given: URL, options: FetchOptions): Promise<Fetched> {
  const signal = AbortSignal.timeout(options.timeoutMs);
  let url = given;
  try {
    for (let hops = 0; hops <= maxRedirects; hops += 1) {
      const message = await sendGuarded({ url, method: 'GET', headers: {}, body: null }, options, signal);
      const next = redirectOf(message, url);
      if (next === null) return toFetched(given, url, message);
      message.destroy();
      url = next;
    }
  } catch (error) {
    throw unavailable(given, error);
  }
  throw unavailable(given, new Error('too many redirects'));
}

const unavailable = (url: URL, cause: unknown): ServiceError =>
  refusalError('SERVICE_UNAVAILABLE', refusal('unreachable_url', { detail: url.origin }), { service: 'external-file' }, cause);

function toFetched(given: URL, url: URL, message: IncomingMessage): Fetched {
  const { statusCode = 0, headers } = message;
  const encoding = headers['content-encoding'] ?? 'identity';
  if (statusCode !== 200 || encoding !== 'identity') {
    message.destroy();
    throw new Error('not an answer to keep');
  }
  const length = headers['content-length'] === undefined ? null : Number(headers['content-length']);
  return { url, type: headers['content-type'] ?? '', length, bytes: relay(given, message) };
}

async function* relay(given: URL, message: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of message) yield chunk as Buffer;
    if (!message.complete) throw new Error('the answer broke off');
  } catch (error) {
    throw unavailable(given, error);
  } finally {
    message.destroy();
  }
}
