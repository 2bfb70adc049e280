// The one error type that crosses stages, with one entry per failed rule. The doors turn it into a response. Anything else that is thrown
// is a bug: it is logged and answered as INTERNAL_SERVER_ERROR without detail.

import { type ErrorCode, errorStatus } from './codes.js';
import { type Refusal, refusal } from './refusals.js';

export interface ErrorEntry {
  readonly code: ErrorCode;
  readonly message: string;
  readonly extensions: Readonly<Record<string, unknown>>;
}

export class ServiceError extends Error {
  readonly entries: readonly [ErrorEntry, ...ErrorEntry[]];

  constructor(entries: readonly [ErrorEntry, ...ErrorEntry[]], options?: ErrorOptions) {
    super(entries[0].message, options);
    this.name = 'ServiceError';
    this.entries = entries;
  }

  get code(): ErrorCode {
    return this.entries[0].code;
  }

  /** The status that all entries share; entries with different statuses make the whole response a 400. */
  get status(): number {
    const first = errorStatus[this.code];
    return this.entries.every((entry) => errorStatus[entry.code] === first) ? first : 400;
  }
}

/** An error with a code and a status of its author's own: the operation `throw-error` of a flow, a refusal of an extension. */
export class AuthoredError extends ServiceError {
  readonly #status: number;

  constructor(code: string, status: number, message: string, extensions: ErrorEntry['extensions'] = {}) {
    // The one place where a code outside of the table comes in: the author of the flow or the extension answers for it.
    super([{ code: code as ErrorCode, message, extensions }]);
    this.#status = status;
  }

  override get status(): number {
    return this.#status;
  }
}

export function serviceError(
  code: ErrorCode,
  message: string,
  extensions: Readonly<Record<string, unknown>> = {},
  cause?: unknown,
): ServiceError {
  return new ServiceError([{ code, message, extensions }], cause === undefined ? undefined : { cause });
}

/** An error whose name and parameters are in its answer beside the message. */
export function refusalError(
  code: ErrorCode,
  { sentence, facts }: Refusal,
  extensions: Readonly<Record<string, unknown>> = {},
  cause?: unknown,
): ServiceError {
  if (code !== 'INVALID_PAYLOAD') return serviceError(code, sentence, { ...facts, ...extensions }, cause);
  return serviceError(code, `Invalid payload. ${sentence}`, { reason: sentence, ...facts, ...extensions }, cause);
}

export const invalidQuery = (reason: string): ServiceError => serviceError('INVALID_QUERY', `Invalid query. ${reason}`, { reason });
export const invalidPayload = (reason: string | Refusal): ServiceError =>
  typeof reason === 'string'
    ? serviceError('INVALID_PAYLOAD', `Invalid payload. ${reason}`, { reason })
    : refusalError('INVALID_PAYLOAD', reason);

/** The same text for what is missing and for what is hidden, so that a caller cannot tell the two apart (specification 7, rule 1). */
export const forbidden = (): ServiceError => serviceError('FORBIDDEN', "You don't have permission to access this.");
export const forbiddenCollection = (collection: string): ServiceError =>
  refusalError('FORBIDDEN', refusal('forbidden_collection', { collection }));
/** Use only for callers that hold the permission: `reason` reveals that the collection exists. */
export const readOnlyCollection = (collection: string, reason: string | null): ServiceError =>
  reason === null
    ? forbiddenCollection(collection)
    : refusalError('FORBIDDEN', refusal('read_only_collection', { collection, detail: reason }));
export const forbiddenField = (field: string, collection: string): ServiceError =>
  refusalError('FORBIDDEN', refusal('forbidden_field', { collection, field }));

/** For a path that leads nowhere, in a request or in an operation of a batch. */
export const routeNotFound = (url: string): ServiceError => {
  const path = url.split('?', 1)[0] ?? url;
  return serviceError('ROUTE_NOT_FOUND', `Route ${path} doesn't exist.`, { path });
};

export const unsupportedMediaType = (mediaType: string, where: string): ServiceError =>
  serviceError('UNSUPPORTED_MEDIA_TYPE', `Unsupported media type "${mediaType}" in the ${where}.`, { mediaType, where });

/** Ends a switch over a union; the call does not compile until every kind is handled. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
