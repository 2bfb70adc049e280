// PostgreSQL's errors in the service's vocabulary: by SQLSTATE where the server spoke, by the kind of failure where it did not.

import { DatabaseError, type DatabaseErrorKind } from '../../core/vendor/database-error.js';

interface ServerError {
  readonly code: string;
  readonly message: string;
  readonly table?: string | undefined;
  readonly constraint?: string | undefined;
  readonly column?: string | undefined;
  readonly routine?: string | undefined;
}

const kinds: Readonly<Record<string, DatabaseErrorKind>> = {
  '23505': 'unique',
  '23P01': 'unique',
  // Two requests making the same table or column at once.
  '42P07': 'unique',
  '42701': 'unique',
  '42710': 'unique',
  '23001': 'restrict',
  // A view, a key or a column still depends on what is to be dropped.
  '2BP01': 'restrict',
  '23502': 'not-null',
  '23514': 'check',
  '22001': 'too-long',
  '22003': 'out-of-range',
  '2200H': 'out-of-range',
  '40001': 'retry',
  '40P01': 'retry',
  '55P03': 'retry',
  // A prepared statement is gone or doubled (a pooler in between): the name is forgotten, another try parses it again.
  '26000': 'retry',
  '42P05': 'retry',
  '57014': 'timeout',
  '25P03': 'timeout',
  '42703': 'stale-schema',
  '42P01': 'stale-schema',
  '42883': 'stale-schema',
  '42804': 'stale-schema',
  // A standby after a failover: it cannot be written until it is promoted.
  '25006': 'unavailable',
  '3D000': 'unavailable',
};

const kindsOfClass: Readonly<Record<string, DatabaseErrorKind>> = {
  '08': 'unavailable',
  '22': 'invalid-value',
  '28': 'unavailable',
  '53': 'unavailable',
  '54': 'too-large',
  '57': 'unavailable',
};

const networkCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'EACCES',
]);

/** The driver's own words for a connection that is gone; it gives these no code. */
const connectionGone =
  /^(Connection terminated|timeout expired|Client (has encountered|was closed)|The server does not support SSL|There was an error establishing an SSL)/;

export function toDatabaseError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  if (isServerError(error)) return new DatabaseError(kindOf(error), error, factsOf(error));
  return new DatabaseError(isConnectionFailure(error) ? 'unavailable' : 'other', error);
}

/** The name of a prepared statement no longer means what it meant; the text itself may be fine. */
export function isPreparedNameLost(error: unknown): boolean {
  return isServerError(error) && (error.code === '26000' || error.code === '42P05' || isPlanOutdated(error));
}

/** After such an error the server has closed the connection, or the socket is gone. */
export function isConnectionLost(error: unknown): boolean {
  const cause = error instanceof DatabaseError ? error.cause : error;
  return cause instanceof Error && (!isServerError(cause) || /^(57P0|08|25P03)/.test(cause.code));
}

function isServerError(error: unknown): error is ServerError {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) && 'severity' in error
  );
}

function kindOf(error: ServerError): DatabaseErrorKind {
  if (error.code === '23503') return isStillReferenced(error) ? 'restrict' : 'foreign-key';
  if (error.code === '57014' && error.message.endsWith('user request')) return 'cancelled';
  if (isPlanOutdated(error)) return 'stale-schema';
  return kinds[error.code] ?? kindsOfClass[error.code.slice(0, 2)] ?? 'other';
}

const isPlanOutdated = (error: ServerError): boolean => error.code === '0A000' && error.routine === 'RevalidateCachedQuery';

/**
 * Both directions of a foreign key are 23503 with the same table and constraint. The texts differ, in every language, by the names
 * they quote: child and constraint when the parent is missing; parent, constraint and child when the parent is still referenced.
 */
function isStillReferenced(error: ServerError): boolean {
  const own = countQuotes(`${error.table ?? ''}${error.constraint ?? ''}`);
  return countQuotes(error.message) - own > 4;
}

const countQuotes = (text: string): number => text.match(/["„“”«»]/g)?.length ?? 0;

function factsOf(error: ServerError): {
  readonly table: string | null;
  readonly constraint: string | null;
  readonly columns: readonly string[] | null;
} {
  return { table: error.table ?? null, constraint: error.constraint ?? null, columns: error.column === undefined ? null : [error.column] };
}

function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isConnectionFailure);
  return ('code' in error && typeof error.code === 'string' && networkCodes.has(error.code)) || connectionGone.test(error.message);
}
