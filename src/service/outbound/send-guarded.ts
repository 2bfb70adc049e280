// The one way out: requests to addresses that somebody else named, protected against access to internal addresses (SSRF). Only HTTP and HTTPS,
// only allowed addresses; a host name is resolved once, and the connection goes to the address that was checked.

import { lookup } from 'node:dns/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import type { AddressCheck } from './public-address.js';

export interface Outgoing {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

interface Address {
  readonly address: string;
  readonly family: number;
}

export interface GuardOptions {
  readonly isAllowed: AddressCheck;
  /** All addresses of a host name; by default from the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly Address[]>;
}

const protocols: Readonly<Record<string, typeof http | typeof https>> = { 'http:': http, 'https:': https };

/** Resolves to the answer without its body, whatever its status. Follows no redirect. */
export async function sendGuarded(outgoing: Outgoing, options: GuardOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const { url, method, headers, body } = outgoing;
  const protocol = protocols[url.protocol];
  if (protocol === undefined || url.username !== '' || url.password !== '') throw new Error('not a plain address of HTTP');
  const pinned = await pinAddress(url.hostname.replace(/^\[|\]$/g, ''), options);
  return new Promise((resolve, reject) => {
    const request = protocol.request(url, {
      method,
      agent: false,
      signal,
      lookup: pinnedLookup(pinned),
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Tain', ...headers },
    });
    request.once('socket', (socket) => watchSocket(socket, options.isAllowed));
    request
      .once('error', reject)
      .once('response', resolve)
      .end(body ?? undefined);
  });
}

/** Refuses a host if any of its addresses is refused: a mix of public and internal addresses is an attack. */
async function pinAddress(host: string, { isAllowed, resolve = lookUpAll }: GuardOptions): Promise<Address> {
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

/** Where the answer leads to; null: nowhere else. */
export function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | null {
  return redirects.has(statusCode) && headers.location !== undefined ? new URL(headers.location, from) : null;
}
