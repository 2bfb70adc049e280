// Turns errors of the database during reads into errors of the service. The engine explains those of writes, since it knows the payload.

import { refusal } from '../core/errors/refusals.js';
import { refusalError, ServiceError, serviceError } from '../core/errors/service-error.js';
import { systemPrefix } from '../core/schema/system-definition.js';
import { DatabaseError, type DatabaseErrorKind } from '../core/vendor/database-error.js';

/** Whether the error may disappear by itself. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.kind === 'unavailable' || error.kind === 'read-only' || error.kind === 'full');

/** Whether the statement was written for an outdated structure. */
export const isStale = (error: unknown): boolean =>
  error instanceof DatabaseError ? error.kind === 'stale-schema' : error instanceof ServiceError && isStale(error.cause);

const unavailable: Partial<Readonly<Record<DatabaseErrorKind, string>>> = {
  unavailable: 'The database cannot be reached.',
  timeout: 'The database took too long to answer. Narrow the filter, ask for fewer items, or sort by an indexed field.',
  cancelled: 'The request was given up before the database had answered.',
  retry: 'The database is busy.',
  deadlock: 'The database is busy.',
  locked: 'Somebody else holds a lock on what was asked for.',
  'read-only': 'The database takes no writes at the moment: it is read-only.',
  full: 'The database has no room left.',
  denied: 'The database refuses the service a right to its own tables.',
  'stale-schema': 'The structure of the database has just changed: ask again.',
};

/** The database refuses a statement that fits the present structure: the query does not fit the types of its fields. */
export const cannotAnswer = (failure: unknown): ServiceError => {
  const reason = 'The database cannot do this with the types of the fields it is asked of.';
  return serviceError('INVALID_QUERY', `Invalid query. ${reason}`, { reason }, failure);
};

/** A value of the query, or a stored one, does not have the type that the statement expects. */
const misfits: ReadonlySet<DatabaseErrorKind> = new Set(['invalid-value', 'out-of-range', 'too-long']);

/** What the owner of the database made fails: a view that was never filled or divides by zero, a function that refuses, a foreign server. */
const madeByOwner: ReadonlySet<DatabaseErrorKind> = new Set(['broken', 'raised', 'check']);

const mostOfMessage = 1000;

/** null for errors that a caller could neither understand nor fix. */
export function explainDatabaseError(error: unknown): ServiceError | null {
  if (!(error instanceof DatabaseError)) return null;
  if (error.kind === 'too-large') return serviceError('CONTENT_TOO_LARGE', 'The answer is too large for the database.', {}, error);
  if (misfits.has(error.kind)) {
    const reason = 'A value does not fit the type of the field it is compared with.';
    return serviceError('INVALID_QUERY', `Invalid query. ${reason}`, { reason }, error);
  }
  if (madeByOwner.has(error.kind)) {
    const reason = `The database cannot read this: ${error.message.slice(0, mostOfMessage)}.`;
    return serviceError('INVALID_QUERY', `Invalid query. ${reason}`, { reason }, error);
  }
  if (error.kind === 'denied' && error.table?.startsWith(systemPrefix) !== true)
    return refusalError('FORBIDDEN', refusal('database_denies_reading'), {}, error);
  const message = unavailable[error.kind];
  return message === undefined ? null : serviceError('SERVICE_UNAVAILABLE', message, { service: 'database' }, error);
}
