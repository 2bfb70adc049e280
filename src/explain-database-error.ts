// What a database said while something was read, in the service's words. Writes are explained by the engine, which knows what was written.

import { ServiceError, serviceError } from './core/errors/service-error.js';
import { DatabaseError, type DatabaseErrorKind } from './core/vendor/database-error.js';

/** What may be gone by itself a little later. */
export const isTemporary = (error: unknown): boolean => error instanceof DatabaseError && error.kind === 'unavailable';

/** The statement was written for a structure that is no more. */
export const isStale = (error: unknown): boolean =>
  error instanceof DatabaseError ? error.kind === 'stale-schema' : error instanceof ServiceError && isStale(error.cause);

const unavailable: Partial<Readonly<Record<DatabaseErrorKind, string>>> = {
  unavailable: 'The database cannot be reached.',
  timeout: 'The database took too long to answer. Narrow the filter, ask for fewer items, or sort by an indexed field.',
  cancelled: 'The request was given up before the database had answered.',
  retry: 'The database is busy.',
  'stale-schema': 'The structure of the database has just changed: ask again.',
};

/** null: nothing a caller could understand or mend. */
export function explainDatabaseError(error: unknown): ServiceError | null {
  if (!(error instanceof DatabaseError)) return null;
  if (error.kind === 'too-large') return serviceError('CONTENT_TOO_LARGE', 'The answer is too large for the database.', {}, error);
  const message = unavailable[error.kind];
  return message === undefined ? null : serviceError('SERVICE_UNAVAILABLE', message, { service: 'database' }, error);
}
