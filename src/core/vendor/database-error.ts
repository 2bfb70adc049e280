// What can go wrong in a database, in one vocabulary. Made only in dialects/*/errors.ts; the engine turns it into a ServiceError,
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
  /** Deadlock, serialization failure, lock wait, busy: the whole transaction may be tried again. */
  | 'retry'
  | 'timeout'
  | 'cancelled'
  | 'unavailable'
  /** The answer did not fit the database's own limits (MariaDB's group_concat cut). */
  | 'too-large'
  /** The statement and the structure disagree (column or table gone): the schema snapshot is stale. */
  | 'stale-schema'
  | 'other';

export interface DatabaseErrorFacts {
  readonly table?: string | null;
  readonly constraint?: string | null;
  readonly columns?: readonly string[] | null;
}

export class DatabaseError extends Error {
  readonly kind: DatabaseErrorKind;
  readonly table: string | null;
  /** Name of the violated constraint or index, where the vendor tells it. */
  readonly constraint: string | null;
  readonly columns: readonly string[] | null;

  constructor(kind: DatabaseErrorKind, cause: unknown, facts: DatabaseErrorFacts = {}) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'DatabaseError';
    this.kind = kind;
    this.table = facts.table ?? null;
    this.constraint = facts.constraint ?? null;
    this.columns = facts.columns ?? null;
  }
}

/** One of the statements that went ahead of another failed. */
export class AheadFailure extends Error {
  /** Which of them. */
  readonly index: number;
  readonly error: DatabaseError;

  constructor(index: number, error: DatabaseError) {
    super(error.message, { cause: error });
    this.index = index;
    this.error = error;
  }
}
