// Who a request comes from: finds its token, asks whose it is, counts the request, and keeps other sites from using a browser's cookie.

import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../core/access/view.js';
import type { ClientFacts } from '../../service/auth/auth-context.js';
import type { Authenticator, Purpose } from '../../service/auth/authenticate.js';
import { sessionCookie } from '../../service/auth/issue-tokens.js';
import type { Limiter } from '../../service/auth/limiter.js';
import { findToken, type PlacedToken } from '../../service/auth/token-place.js';
import { readCookie } from './cookies.js';
import { refuseCrossSite } from './cross-site.js';
import { limitRequests } from './rate-limit.js';

export interface AuthenticationDoor {
  readonly authenticator: Authenticator;
  readonly limiter: Limiter;
  /** Origins whose pages may use a session cookie, besides our own. */
  readonly allowedOrigins: ReadonlySet<string>;
}

/** Nothing to wait for where the token is known already, as it is for nearly every request. */
export function authenticateRequest(door: AuthenticationDoor, request: FastifyRequest): Promise<void> | undefined {
  const found = findCaller(door, request);
  return found instanceof Promise ? found.then((caller) => admit(door, request, caller)) : admit(door, request, found);
}

function findCaller(door: AuthenticationDoor, request: FastifyRequest): Caller | Promise<Caller> {
  try {
    const placed = placedToken(request);
    if (placed?.place === 'cookie') refuseCrossSite(request, door.allowedOrigins);
    const found = door.authenticator.authenticate(placed?.token ?? null, clientOf(request), purposeOf(request));
    return found instanceof Promise ? found.catch((error: unknown) => refuse(door, request, error)) : found;
  } catch (error) {
    return refuse(door, request, error);
  }
}

function admit(door: AuthenticationDoor, request: FastifyRequest, caller: Caller): Promise<void> | undefined {
  request.context.caller = caller;
  return limitRequests(door.limiter, request, caller.accountability.user);
}

/** Whoever comes with a token that opens nothing is counted by address. */
async function refuse(door: AuthenticationDoor, request: FastifyRequest, error: unknown): Promise<never> {
  await limitRequests(door.limiter, request, null);
  throw error;
}

const accountPath = /^\/(?:auth(?:\/[^?]*)?|users\/me(?:\/tfa\/[a-z]+)?)\/?(?:\?|$)/;

const purposeOf = ({ raw }: FastifyRequest): Purpose => (accountPath.test(raw.url ?? '') ? 'account' : 'anything');

export const clientOf = ({ context: { ip, userAgent, origin } }: FastifyRequest): ClientFacts => ({ ip, userAgent, origin });

function placedToken(request: FastifyRequest): PlacedToken | null {
  const url = request.raw.url ?? '';
  return findToken({
    authorization: request.headers.authorization === undefined ? [] : authorizations(request.raw.rawHeaders),
    query: url.includes('access_token') ? queryToken(url) : undefined,
    // Where sessions begin and end, a cookie that has ended must be in nobody's way.
    cookie: url.startsWith('/auth/') ? undefined : readCookie(request, sessionCookie),
  });
}

/** Of a header that came twice Node keeps the first; here the second counts, too. */
function authorizations(raw: readonly string[]): readonly string[] {
  return raw.filter((_, index) => index % 2 === 1 && isAuthorization(raw[index - 1]));
}

const isAuthorization = (name = ''): boolean => name.length === 'authorization'.length && name.toLowerCase() === 'authorization';

function queryToken(url: string): unknown {
  const parameters = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  const values = parameters.getAll('access_token');
  if (values.length > 0) return values.length === 1 ? values[0] : values;
  return [...parameters.keys()].some((key) => key.startsWith('access_token[')) ? {} : undefined;
}
