// Authenticates a request: finds its token, resolves it to a caller, counts the request against the rate limit, and refuses requests that
// another site makes a browser send with its session cookie.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuseReader } from '../../../core/access/accountability.js';
import type { Caller } from '../../../core/access/view.js';
import type { ClientFacts, HostCaller } from '../../../service/auth/auth-context.js';
import { addressKey, type Limiter } from '../../../service/auth/limits/limiter.js';
import type { Purpose } from '../../../service/auth/session/authenticate.js';
import { sessionCookie } from '../../../service/auth/session/issue-tokens.js';
import { findToken, type PlacedToken } from '../../../service/auth/session/token-place.js';
import { readCookie } from './cookies.js';
import { refuseCrossSite } from './cross-site.js';
import { isReading } from './reading.js';
import { type ViewAsDeps, viewAs, viewAsHeader } from './view-as.js';

export interface AuthenticationDeps extends ViewAsDeps {
  readonly limiter: Limiter;
  /** Origins whose pages may use a session cookie, besides the service's own. */
  readonly allowedOrigins: ReadonlySet<string>;
  /** Names the caller for an application that embeds the service; null: tokens decide. */
  readonly hostCaller: HostCaller | null;
}

/** Returns undefined instead of a promise when the token is known already, as for nearly every request. */
export function authenticateRequest(deps: AuthenticationDeps, request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
  const found = findCaller(deps, request);
  if (viewAsHeader in request.headers) return admitViewer(deps, request, reply, found);
  return found instanceof Promise ? found.then((caller) => admit(deps, request, caller)) : admit(deps, request, found);
}

function findCaller(deps: AuthenticationDeps, request: FastifyRequest): Caller | Promise<Caller> {
  return deps.hostCaller === null ? callerOfToken(deps, request) : askHost(deps, deps.hostCaller, request);
}

async function askHost(deps: AuthenticationDeps, hostCaller: HostCaller, request: FastifyRequest): Promise<Caller> {
  const named = await hostCaller(request.raw);
  if (named === undefined) return callerOfToken(deps, request);
  request.context.isNamed = true;
  const { authenticator } = deps;
  if (named === null) return authenticator.authenticate(null, clientOf(request), purposeOf(request));
  return authenticator
    .authenticateUser(named.user, clientOf(request), purposeOf(request))
    .catch((error: unknown) => refuse(deps, request, error));
}

function callerOfToken(deps: AuthenticationDeps, request: FastifyRequest): Caller | Promise<Caller> {
  try {
    const placed = placedToken(request);
    if (placed?.place === 'cookie') refuseCrossSite(request, deps.allowedOrigins);
    const found = deps.authenticator.authenticate(placed?.token ?? null, clientOf(request), purposeOf(request));
    return found instanceof Promise ? found.catch((error: unknown) => refuse(deps, request, error)) : found;
  } catch (error) {
    return refuse(deps, request, error);
  }
}

function admit(deps: AuthenticationDeps, request: FastifyRequest, caller: Caller): Promise<void> | undefined {
  request.context.caller = caller;
  const limited = limitRequests(deps.limiter, request, caller.accountability.user);
  if (caller.accountability.accessKey?.write !== false || isReading(request)) return limited;
  return Promise.resolve(limited).then(() => refuseReader(caller.accountability));
}

/** Applies `X-View-As`: the request counts against the viewer's rate limit, but is answered with the rights of the other user. */
async function admitViewer(
  deps: AuthenticationDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  found: Caller | Promise<Caller>,
): Promise<void> {
  const viewer = await found;
  await admit(deps, request, viewer);
  request.context.caller = await viewAs(deps, request, reply, viewer, clientOf(request));
}

const limitRequests = (limiter: Limiter, request: FastifyRequest, user: string | null): Promise<void> | undefined =>
  limiter.take('request', user ?? addressKey(request.context.ip));

/** Requests with an invalid token count against the limit of their address. */
async function refuse(deps: AuthenticationDeps, request: FastifyRequest, error: unknown): Promise<never> {
  await limitRequests(deps.limiter, request, null);
  throw error;
}

const accountPath = /^\/(?:auth(?:\/[^?]*)?|users\/me(?:\/tfa\/[a-z]+|\/passkeys(?:\/[^?]*)?)?)\/?(?:\?|$)/;

const purposeOf = ({ raw }: FastifyRequest): Purpose => (accountPath.test(raw.url ?? '') ? 'account' : 'anything');

export const clientOf = ({ context: { ip, userAgent, origin } }: FastifyRequest): ClientFacts => ({ ip, userAgent, origin });

export const carriesToken = (request: FastifyRequest): boolean => placedToken(request) !== null;

/** The token that the request was authenticated by, for connections that outlive it. */
export const tokenOf = (request: FastifyRequest): string | null => (request.context.isNamed ? null : (placedToken(request)?.token ?? null));

function placedToken(request: FastifyRequest): PlacedToken | null {
  const url = request.raw.url ?? '';
  return findToken({
    authorization: request.headers.authorization === undefined ? [] : authorizations(request.raw.rawHeaders),
    query: url.includes('access_token') ? queryToken(url) : undefined,
    cookie: isEntrance(url) ? undefined : readCookie(request, sessionCookie),
  });
}

/** An expired cookie must not prevent a login or logout. The settings of providers are for people who are signed in. */
const isEntrance = (url: string): boolean => url.startsWith('/auth/') && !url.startsWith('/auth/providers');

/** Node keeps only the first of repeated headers; all of them count here, so that a second token is refused. */
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
