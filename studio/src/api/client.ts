// Requests to the service that Studio was loaded from. Sessions are in an HttpOnly cookie, so only requests of a share carry a token. Every
// write has an idempotency key, so repeating it after a lost answer cannot run it twice. A request that finds the service unreachable, or
// the session ended, waits and is sent again with the same key.

import type { ErrorEntry } from '../schema/error-entry.js';
import { untilBack } from './connection.js';
import { serviceUrl } from './service-url.js';
import { isWatched, sessionRenewed } from './session-watch.js';
import { inWords, unreachableText } from './speaker.js';
import { viewedAs } from './view-as.js';

/** An answer of the service's error table, or status 0 when the service did not answer at all. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly entries: readonly ErrorEntry[],
  ) {
    super(entries[0]?.message ?? unreachableText());
    this.name = 'ApiError';
  }

  get code(): string {
    return this.entries[0]?.extensions.code ?? 'UNREACHABLE';
  }
}

export interface Answer<T> {
  readonly data: T;
  readonly meta: Readonly<Record<string, unknown>>;
  /** The state of a single item, for `ifMatch` of a later write. */
  readonly etag: string | null;
  /** The revisions that a write has made, all of them; null: not asked for, or not known. */
  readonly revisions: readonly number[] | null;
}

type Method = 'GET' | 'SEARCH' | 'POST' | 'PATCH' | 'DELETE';

export interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** JSON, or a form with a file. */
  readonly body?: unknown;
  readonly ifMatch?: string | null;
  readonly signal?: AbortSignal;
  /** For a repetition of the same write. */
  readonly idempotencyKey?: string;
  /** Fails at once instead of waiting if the service is unreachable or the session has ended. */
  readonly failFast?: boolean;
  /** Sends the request with the administrator's own rights while Studio sees as another person. */
  readonly asSelf?: boolean;
  /** Asks for a preview of a change of structure instead of making it, or of a write for the revisions it makes. */
  readonly prefer?: 'dry-run' | 'revisions';
}

export async function request<T>(method: Method, path: string, options: RequestOptions = {}): Promise<Answer<T>> {
  if (viewedAsOf(options.asSelf) !== null && !isReading(method)) throw new ApiError(403, await inWords([writesNothing]));
  const url = serviceUrl(path);
  for (const [name, value] of Object.entries(options.query ?? {})) if (value !== undefined) url.searchParams.set(name, String(value));
  const init: RequestInit = {
    method,
    headers: headersOf(method, options),
    credentials: guest === null ? 'same-origin' : 'omit',
    ...(options.body === undefined ? {} : { body: options.body instanceof FormData ? options.body : JSON.stringify(options.body) }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
  for (;;) {
    try {
      return await attempt<T>(url, init);
    } catch (error) {
      if (options.failFast === true || !(error instanceof ApiError) || !(await canRetry(error))) throw error;
      options.signal?.throwIfAborted();
    }
  }
}

/** A visitor who follows the link of a share. The session of a user who is signed in in the same browser is neither used nor changed. */
interface Guest {
  /** Null until the share is open. */
  readonly token: string | null;
}

let guest: Guest | null = null;

/** null: use the session again. */
export const actAs = (next: Guest | null): void => {
  guest = next;
};

const viewedAsOf = (asSelf: boolean | undefined) => (asSelf === true || guest !== null ? null : viewedAs());

const isReading = (method: Method): boolean => method === 'GET' || method === 'SEARCH';

const writesNothing: ErrorEntry = {
  message: 'You are viewing as another user: nothing can be changed meanwhile.',
  extensions: { code: 'FORBIDDEN', refusal: 'viewing_as' },
};

async function attempt<T>(url: URL, init: RequestInit): Promise<Answer<T>> {
  const response = await send(url, init);
  const body = await readBody(response);
  if (!response.ok) throw new ApiError(response.status, await inWords(body.errors ?? []));
  const { headers } = response;
  return { data: body.data as T, meta: body.meta ?? {}, etag: headers.get('etag'), revisions: readRanges(headers.get('x-revisions')) };
}

/** `3-5, 9`. */
function readRanges(header: string | null): readonly number[] | null {
  if (header === null) return null;
  return header.split(',').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return range.trim() === '' ? [] : Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}

/**
 * Waits until the cause of a failed request is gone: an unreachable service or an ended session. Resolves to whether the request can be
 * sent again.
 */
export async function canRetry({ status }: ApiError): Promise<boolean> {
  if (status === 0 || status === 503) return untilBack();
  if (!isWatched() || !(status === 401 || status === 403) || !(await hasEnded())) return false;
  return sessionRenewed();
}

/**
 * The browser drops an expired cookie, and the service answers requests without one as forbidden; only a request for the own user shows
 * whether the session has ended.
 */
async function hasEnded(): Promise<boolean> {
  try {
    return !(await send(serviceUrl('/users/me?fields=id'), { credentials: 'same-origin' })).ok;
  } catch {
    return false;
  }
}

/** Reads a list. Queries that could exceed the length of a URL travel in the body. */
export function search<T>(path: string, query: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<Answer<T>> {
  return request<T>('SEARCH', path, { body: { query }, ...(signal === undefined ? {} : { signal }) });
}

/** One GraphQL document against the system endpoint. The first error is thrown with its own status. */
export async function graphql<T>(query: string): Promise<T> {
  const { data } = await request<T>('POST', '/graphql/system', { body: { query }, failFast: true, asSelf: true });
  return data;
}

interface Body {
  readonly data?: unknown;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly ErrorEntry[];
}

async function send(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new ApiError(0, []);
  }
}

async function readBody(response: Response): Promise<Body> {
  const text = await response.text();
  if (text === '') return {};
  try {
    const body = JSON.parse(text) as Body;
    // GraphQL reports failures with status 200.
    if (response.ok && body.errors !== undefined && body.errors.length > 0) throw new ApiError(response.status, await inWords(body.errors));
    return body;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(response.status, []);
  }
}

function headersOf(method: Method, { body, ifMatch, idempotencyKey, asSelf, prefer }: RequestOptions): Headers {
  const headers = new Headers();
  if (typeof guest?.token === 'string') headers.set('authorization', `Bearer ${guest.token}`);
  const viewed = viewedAsOf(asSelf);
  if (viewed !== null) headers.set('x-view-as', viewed.target);
  if (prefer !== undefined) headers.set('prefer', prefer);
  if (body !== undefined && !(body instanceof FormData)) headers.set('content-type', 'application/json');
  if (ifMatch !== undefined && ifMatch !== null) headers.set('if-match', ifMatch);
  if (!isReading(method) && prefer !== 'dry-run') headers.set('idempotency-key', idempotencyKey ?? randomKey());
  return headers;
}

/** `crypto.randomUUID` exists in secure contexts only; an intranet may serve Studio over plain HTTP. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
