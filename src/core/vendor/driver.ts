// The port to a database, which each dialect implements. Rows are arrays of cells, errors are DatabaseErrors.

import type { GeneratedKeys, PendingPlace } from '../sql/pending-key.js';
import type { BoundValue } from '../sql/sql.js';
import type { StopSignal } from './stop-signal.js';

export type Cell = string | number | bigint | boolean | null | Uint8Array;
export type Row = readonly Cell[];

/** A place in the sequence of commits, in the vendor's notation (an LSN, a GTID). Only `Replication.reaches` compares two of them. */
export type Position = string;

/**
 * What a statement does.
 * - `read` changes and locks nothing: it may run on a read-only connection, and is sent again when its connection breaks.
 * - `insert` is one INSERT whose row count is of no interest: MariaDB's driver sends neighbouring ones as one compound statement.
 * - `write` is everything else inside the data: UPDATE, DELETE, locking reads, sequences, savepoints, settings.
 * - `ddl` changes the structure.
 */
export type StatementKind = 'read' | 'insert' | 'write' | 'ddl';

export interface Statement {
  readonly kind: StatementKind;
  /** The tables it names, where they are known; the pool limits by them how many connections the users of one table hold. Default none. */
  readonly tables?: readonly string[];
  /** A read of the mirrored database, in its syntax (see Dialect.mirrored). Default false. */
  readonly mirrored?: boolean;
  /**
   * Outside of a transaction: a copy of the database may answer this read if it has everything up to this position; null: whatever it has. Absent:
   * only the primary may. Drivers without copies ignore it.
   */
  readonly readAfter?: Position | null;
  readonly text: string;
  readonly values: readonly BoundValue[];
  /** Values that the driver fills in once an earlier statement of the exchange has generated them (SQLite). */
  readonly pending?: readonly PendingPlace[];
  /** true for texts that come again: the driver prepares them once per connection. Default false. */
  readonly prepare?: boolean;
  /** A hint: the statement reads at most one row, found by key. SQLite then answers it on the main thread. Default false. */
  readonly cheap?: boolean;
  /** Inside a transaction: statements to run before this one, in the same exchange where the vendor can. If one fails, the call rejects with a QueuedFailure. */
  readonly queued?: readonly QueuedStatement[];
  /** The batch of the keys in the first cell of each returned row; statements behind this one refer to them as pending keys. */
  readonly batch?: GeneratedKeys;
  /** Accepted although a statement of the transaction has failed: it rolls back to a savepoint or, on SQLite, a read had failed. Default false. */
  readonly recovers?: boolean;
  /** A hint inside a transaction: nothing follows, so the driver may commit in the same exchange. Default false. */
  readonly last?: boolean;
}

export interface QueuedStatement extends Statement {
  /** Called with the statement's rows; without it they are not fetched. */
  readonly onRows?: (rows: readonly Row[]) => void;
}

export interface TransactionOptions {
  /** The transaction changes the structure: no statement timeout. SQLite suspends foreign keys while tables are rebuilt and checks them before the commit. */
  readonly structure?: boolean;
}

export interface Connection {
  /** bigint and decimal columns arrive as exact text or bigint, never rounded. */
  rows(statement: Statement, signal?: StopSignal): Promise<readonly Row[]>;
  /** Runs a cheap statement synchronously, where the vendor can; null: call `rows`. */
  rowsAtOnce?(statement: Statement): readonly Row[] | null;
  /** Runs a statement for its effect; resolves to the number of rows it changed (for an update: matched). */
  run(statement: Statement, signal?: StopSignal): Promise<number>;
}

export interface PoolState {
  readonly size: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface Driver extends Connection {
  /** Reads rows in batches, as fast as the caller takes them; ending the iteration or aborting cancels the statement. */
  stream(statement: Statement, signal?: StopSignal): AsyncIterable<readonly Row[]>;
  /** One transaction: committed when `work` resolves, rolled back when it rejects. Never retried by the driver. */
  transaction<T>(work: (connection: Connection) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** The server's version; rejects with kind `unavailable` if the database cannot be reached. */
  version(): Promise<string>;
  pool(): PoolState;
  /** The number of statements sent since start. */
  statements(): number;
  close(): Promise<void>;
}
