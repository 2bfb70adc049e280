// Fetches a URL that a client named, protected against access to internal addresses (SSRF): only HTTP and HTTPS, only allowed addresses,
// checked again for every redirect. A host name is resolved once, and the connection goes to the address that was checked. All failures
// give the same message, so that a client learns nothing about internal hosts.

import { lookup } from 'node:dns/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { type ServiceError, serviceError } from '../../../core/errors/service-error.js';
import type { AddressCheck } from './public-address.js';

export interface Fetched {
  /** The URL after redirects. */
  readonly url: URL;
  readonly type: string;
  /** The Content-Length; null if the response has none. */
  readonly length: number | null;
  /** Throws the same error if the response breaks off or the time limit passes. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

interface Address {
  readonly address: string;
  readonly family: number;
}

export interface FetchOptions {
  readonly isAllowed: AddressCheck;
  readonly timeoutMs: number;
  /** All addresses of a host name; by default from the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly Address[]>;
}

const maxRedirects = 3;
const protocols: Readonly<Record<string, typeof http | typeof https>> = { 'http:': http, 'https:': https };

export async function fetchGuarded(given: URL, options: FetchOptions): Promise<Fetched> {
  const signal = AbortSignal.timeout(options.timeoutMs);
  let url = given;
  try {
    for (let hops = 0; hops <= maxRedirects; hops += 1) {
      const message = await request(url, options, signal);
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
  serviceError('SERVICE_UNAVAILABLE', `Could not fetch a file from "${url.origin}".`, { service: 'external-file' }, cause);

async function request(url: URL, options: FetchOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const protocol = protocols[url.protocol];
  if (protocol === undefined || url.username !== '' || url.password !== '') throw new Error('not a plain address of HTTP');
  const pinned = await pinAddress(url.hostname.replace(/^\[|\]$/g, ''), options);
  return new Promise((resolve, reject) => {
    const outgoing = protocol.request(url, {
      agent: false,
      signal,
      lookup: pinnedLookup(pinned),
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Tain' },
    });
    outgoing.once('socket', (socket) => watchSocket(socket, options.isAllowed));
    outgoing.once('error', reject).once('response', resolve).end();
  });
}

/** Refuses a host if any of its addresses is refused: a mix of public and internal addresses is an attack. */
async function pinAddress(host: string, { isAllowed, resolve = lookUpAll }: FetchOptions): Promise<Address> {
  const found = isIP(host) === 0 ? await resolve(host) : [{ address: host, family: isIP(host) }];
  const [first] = found;
  if (first === undefined || !found.every(({ address }) => isAllowed(address))) throw new Error('address is not allowed');
  return first;
}

const lookUpAll = (host: string): Promise<readonly Address[]> => lookup(host, { all: true, verbatim: true });

const pinnedLookup =
  ({ address, family }: Address): LookupFunction =>
  (_host, { all }, callback) =>
    all === true ? callback(null, [{ address, family }]) : callback(null, address, family);

function watchSocket(socket: Socket, isAllowed: AddressCheck): void {
  socket.once('connect', () => {
    if (!isAllowed(socket.remoteAddress ?? '')) socket.destroy(new Error('address is not allowed'));
  });
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | null {
  return redirects.has(statusCode) && headers.location !== undefined ? new URL(headers.location, from) : null;
}

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
