// The one error that crosses stages. It carries one entry per failed rule; doors turn it into an answer, nobody else reads it.

import { type ErrorCode, errorStatus } from './codes.js';

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

  /** The common status of all entries; entries of different statuses are a bad request as a whole. */
  get status(): number {
    const first = errorStatus[this.code];
    return this.entries.every((entry) => errorStatus[entry.code] === first) ? first : 400;
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

export const invalidQuery = (reason: string): ServiceError => serviceError('INVALID_QUERY', `Invalid query. ${reason}`, { reason });
export const invalidPayload = (reason: string): ServiceError => serviceError('INVALID_PAYLOAD', `Invalid payload. ${reason}`, { reason });

/** One text whether the thing is missing or hidden: the two must not be told apart (specification 7, rule 1). */
export const forbidden = (): ServiceError => serviceError('FORBIDDEN', "You don't have permission to access this.");
export const forbiddenCollection = (collection: string): ServiceError =>
  serviceError('FORBIDDEN', `You don't have permission to access collection "${collection}" or it does not exist.`);
export const forbiddenField = (field: string, collection: string): ServiceError =>
  serviceError('FORBIDDEN', `You don't have permission to access field "${field}" in collection "${collection}" or it does not exist.`);

/** After the last case of a union: does not compile until every kind is handled. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
