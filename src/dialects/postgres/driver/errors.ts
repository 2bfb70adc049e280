// Translates PostgreSQL's errors to DatabaseErrors: by SQLSTATE if the server reported the error, otherwise by the kind of failure.

import { DatabaseError, type DatabaseErrorFacts, type DatabaseErrorKind } from '../../../core/vendor/database-error.js';

interface ServerError {
  readonly code: string;
  readonly message: string;
  readonly table?: string | undefined;
  readonly constraint?: string | undefined;
  readonly column?: string | undefined;
  readonly routine?: string | undefined;
  readonly hint?: string | undefined;
  readonly detail?: string | undefined;
  /** The functions in which it happened; absent for an error in the statement itself. */
  readonly where?: string | undefined;
}

const kinds: Readonly<Record<string, DatabaseErrorKind>> = {
  '23505': 'unique',
  '23P01': 'unique',
  // Two requests create the same table or column.
  '42P07': 'unique',
  '42701': 'unique',
  '42710': 'unique',
  '23001': 'restrict',
  // A view, a key or a column depends on the dropped object.
  '2BP01': 'restrict',
  '23502': 'not-null',
  '23514': 'check',
  // WITH CHECK OPTION of a view.
  '44000': 'check',
  '22001': 'too-long',
  '22003': 'out-of-range',
  '2200H': 'out-of-range',
  '40000': 'deadlock',
  '40001': 'deadlock',
  '40P01': 'deadlock',
  '55P03': 'locked',
  '55006': 'retry',
  // A prepared statement is missing or exists already, behind a connection pooler. The name is forgotten, and a retry parses it again.
  '26000': 'retry',
  '42P05': 'retry',
  '57014': 'timeout',
  '25P03': 'timeout',
  '42703': 'stale-schema',
  '42P01': 'stale-schema',
  '42883': 'stale-schema',
  '42804': 'stale-schema',
  // A division by zero in a view, a generated column or a trigger; a materialised view that was never filled; a foreign server that is away.
  '22012': 'broken',
  '55000': 'broken',
  '08001': 'broken',
  // Includes violated row-level security policies, and operations reserved for the owner of a table.
  '42501': 'denied',
  // For example a standby that has not been promoted after a failover.
  '25006': 'read-only',
  '53100': 'full',
  '3D000': 'unavailable',
  // The connection broke during the commit, so its result is unknown.
  '40003': 'unavailable',
  // Data of a table or index is corrupted.
  XX001: 'unavailable',
  XX002: 'unavailable',
};

const kindsOfClass: Readonly<Record<string, DatabaseErrorKind>> = {
  '08': 'unavailable',
  // Errors of foreign data wrappers.
  HV: 'broken',
  '22': 'invalid-value',
  '28': 'unavailable',
  '53': 'unavailable',
  '54': 'too-large',
  // An error in the function of a trigger: no data, too many rows, a change of the row being changed.
  '09': 'check',
  '21': 'check',
  '27': 'check',
  '2F': 'check',
  '38': 'check',
  '39': 'check',
  P0: 'check',
  '57': 'unavailable',
  '58': 'unavailable',
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

/** Messages of the package for a lost connection, which have no code. */
const connectionGone =
  /^(Connection terminated|timeout expired|Client (has encountered|was closed)|The server does not support SSL|There was an error establishing an SSL)/;

export function toDatabaseError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  if (isServerError(error)) return new DatabaseError(kindOf(error), error, factsOf(error));
  return new DatabaseError(isConnectionFailure(error) ? 'unavailable' : 'other', error);
}

/** Whether the prepared statement is missing or outdated on the server. The text itself may be valid. */
export function isPreparedNameLost(error: unknown): boolean {
  return isServerError(error) && (error.code === '26000' || error.code === '42P05' || isPlanOutdated(error));
}

/** Whether the connection is closed after this error. */
export function isConnectionLost(error: unknown): boolean {
  const cause = error instanceof DatabaseError ? error.cause : error;
  return cause instanceof Error && (!isServerError(cause) || /^(57P0|08(?!001)|25P03)/.test(cause.code));
}

export function isServerError(error: unknown): error is ServerError {
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) && 'severity' in error
  );
}

function kindOf(error: ServerError): DatabaseErrorKind {
  if (isRaised(error)) return 'raised';
  if (error.code === '23514' && error.routine === 'ExecFindPartition') return 'partition';
  if (error.code === '23503') return isStillReferenced(error) ? 'restrict' : 'foreign-key';
  if (error.code === '57014' && error.message.endsWith('user request')) return 'cancelled';
  if (isPlanOutdated(error)) return 'stale-schema';
  // A column of a view that is computed.
  if (error.code === '0A000' && error.routine === 'rewriteTargetView') return 'broken';
  // A trigger or a function names what does not exist: its text, not our statement.
  if (kinds[error.code] === 'stale-schema' && textOrNull(error.where) !== null) return 'broken';
  return kinds[error.code] ?? kindsOfClass[error.code.slice(0, 2)] ?? 'other';
}

/**
 * Whether a trigger or function raised the error. RAISE may use any SQLSTATE, so it is recognised by the routine of the server that reports it; class
 * 40 requests a retry and keeps its meaning. P0001 and P0004 (ASSERT) are raised in every procedural language.
 */
const isRaised = ({ code, routine }: ServerError): boolean =>
  code === 'P0001' || code === 'P0004' || (routine === 'exec_stmt_raise' && !code.startsWith('40'));

const isPlanOutdated = (error: ServerError): boolean => error.code === '0A000' && error.routine === 'RevalidateCachedQuery';

/**
 * Both violations of a foreign key are 23503 with the same table and constraint. In every language of the server, the messages differ in the number of
 * quoted names: child and constraint if the parent is missing; parent, constraint and child if the parent is still referenced.
 */
function isStillReferenced(error: ServerError): boolean {
  const own = countQuotes(`${error.table ?? ''}${error.constraint ?? ''}`);
  return countQuotes(error.message) - own > 4;
}

const countQuotes = (text: string): number => text.match(/["„“”«»]/g)?.length ?? 0;

function factsOf(error: ServerError): DatabaseErrorFacts {
  const raised = isRaised(error);
  return {
    table: textOrNull(error.table) ?? deniedTable(error),
    constraint: textOrNull(error.constraint),
    columns: textOrNull(error.column) === null ? null : [String(error.column)],
    value: error.code.startsWith('22') && !raised ? quotedValue(error.message) : null,
    hint: raised ? (textOrNull(error.hint) ?? textOrNull(error.detail)) : null,
  };
}

const textOrNull = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text);

/** The value in `invalid input syntax for type integer: "x"` or `value "9" is out of range for type …`. */
function quotedValue(message: string): string | null {
  return /: "(.*)"$/s.exec(message)?.[1] ?? /^value "(.*)" is out of range/s.exec(message)?.[1] ?? null;
}

/** The table in "permission denied for table books". The protocol has no field for it, so it is unknown in other languages. */
const deniedTable = ({ code, message }: ServerError): string | null =>
  code === '42501' ? (/ for (?:table|view|materialized view|foreign table|sequence) "?(.+?)"?$/.exec(message)?.[1] ?? null) : null;

function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isConnectionFailure);
  return ('code' in error && typeof error.code === 'string' && networkCodes.has(error.code)) || connectionGone.test(error.message);
}
