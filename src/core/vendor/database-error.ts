// What can go wrong in a database, in one vocabulary. Made only in dialects/*/driver/errors.ts; the engine turns it into a ServiceError,
// because only the engine knows the schema that gives names to constraints.

export type DatabaseErrorKind =
  | 'unique'
  | 'foreign-key'
  /** A row is still referenced (RESTRICT / NO ACTION). */
  | 'restrict'
  | 'not-null'
  | 'too-long'
  | 'out-of-range'
  | 'invalid-value'
  | 'check'
  /** No partition accepts the row. */
  | 'partition'
  /** A trigger or function of the database raised an error with a message for clients. */
  | 'raised'
  /** What the owner of the database made does not work: a trigger, a view, a function, a foreign server. The message says what. */
  | 'broken'
  /** A busy file, or a statement that has to be prepared again: the whole transaction may be retried. */
  | 'retry'
  /** Another transaction held a lock for longer than the lock timeout. */
  | 'locked'
  /** Transactions waited for each other, or could not be serialized: the loser may be retried, best after the others. */
  | 'deadlock'
  | 'timeout'
  | 'cancelled'
  /** The server does not answer, or says that it cannot serve: starting, stopping, out of connections or memory, without quorum, corrupt. */
  | 'unavailable'
  /** The server or file accepts no writes (a standby, a read-only file system). Reads may work. */
  | 'read-only'
  /** The user that the service connects as lacks a right. */
  | 'denied'
  /** No space is left on the disk, in a table space or quota. Reads may work. */
  | 'full'
  /** The answer exceeds a limit of the database (MariaDB's group_concat cut it). */
  | 'too-large'
  /** The statement and the structure disagree (column or table gone): the schema snapshot is stale. */
  | 'stale-schema'
  | 'other';

export interface DatabaseErrorFacts {
  readonly table?: string | null;
  readonly constraint?: string | null;
  readonly columns?: readonly string[] | null;
  /** The refused value as text, where the vendor names it but not its column. */
  readonly value?: string | null;
  /** What a trigger adds to its message. */
  readonly hint?: string | null;
}

export class DatabaseError extends Error {
  readonly kind: DatabaseErrorKind;
  readonly table: string | null;
  /** The violated constraint or index, where the vendor names it. */
  readonly constraint: string | null;
  readonly columns: readonly string[] | null;
  readonly value: string | null;
  readonly hint: string | null;

  constructor(kind: DatabaseErrorKind, cause: unknown, facts: DatabaseErrorFacts = {}) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'DatabaseError';
    this.kind = kind;
    this.table = facts.table ?? null;
    this.constraint = facts.constraint ?? null;
    this.columns = facts.columns ?? null;
    this.value = facts.value ?? null;
    this.hint = facts.hint ?? null;
  }
}

/** Whether the whole transaction may be retried at once. */
export const mayRetry = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && (error.kind === 'retry' || error.kind === 'deadlock');

/** Whether the state of the database is the reason, not the statement: the same statement may succeed later. */
export function isPassing({ kind }: DatabaseError): boolean {
  switch (kind) {
    case 'retry':
    case 'locked':
    case 'deadlock':
    case 'timeout':
    case 'cancelled':
    case 'unavailable':
    case 'read-only':
    case 'full':
      return true;
    default:
      return false;
  }
}

/** One of the queued statements failed, not the one they were sent with. */
export class QueuedFailure extends Error {
  /** Its place in `Statement.queued`. */
  readonly index: number;
  readonly error: DatabaseError;

  constructor(index: number, error: DatabaseError) {
    super(error.message, { cause: error });
    this.index = index;
    this.error = error;
  }
}
