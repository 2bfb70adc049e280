// The port to a database: what a vendor's connection.ts provides. Rows come as arrays, errors as DatabaseError.

import type { Counter, LatePlace } from '../sql/late-value.js';
import type { BoundValue } from '../sql/sql.js';
import type { StopSignal } from './stop-signal.js';

export type Cell = string | number | bigint | boolean | null | Uint8Array;
export type Row = readonly Cell[];

export interface Statement {
  readonly text: string;
  readonly values: readonly BoundValue[];
  /** Values that others of the transaction make; where the vendor's syntax binds them. */
  readonly lates?: readonly LatePlace[];
  /** true for texts that come again (plans): the driver prepares them once per connection. Default false. */
  readonly prepare?: boolean;
  /** A hint: the statement reads at most one row, found by key. SQLite then answers it without a way through a worker. Default false. */
  readonly cheap?: boolean;
  /**
   * Inside a transaction: statements that go before this one in the same exchange, where the vendor can. The failure of one is an
   * AheadFailure.
   */
  readonly ahead?: readonly AheadStatement[];
  /** The numbers in the first cell of its rows, which others of the transaction may name as late values. */
  readonly counter?: Counter;
  /** A hint inside a transaction: nothing follows, so the driver may commit together with it when it succeeds. Default false. */
  readonly last?: boolean;
}

export interface AheadStatement extends Statement {
  /** Is given its rows; without it they are of no interest. */
  readonly told?: (rows: readonly Row[]) => void;
}

export interface TransactionOptions {
  /** The transaction changes the structure. SQLite holds foreign keys back while tables are rebuilt and checks them before the commit; others ignore it. */
  readonly structure?: boolean;
}

export interface Connection {
  /** Every row as an array of cells. bigint and decimal columns arrive as exact text or bigint, never rounded. */
  rows(statement: Statement, signal?: StopSignal): Promise<readonly Row[]>;
  /** The row that a cheap statement finds, or none, where the vendor need not wait for it; null: ask `rows`. */
  rowsAtOnce?(statement: Statement): readonly Row[] | null;
  /** A statement without rows: how many items it touched (matched, for an update). */
  run(statement: Statement, signal?: StopSignal): Promise<number>;
}

export interface PoolState {
  readonly size: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface Driver extends Connection {
  /** Batches of rows from a cursor, with back-pressure; ending the iteration or aborting cancels the statement. */
  stream(statement: Statement, signal?: StopSignal): AsyncIterable<readonly Row[]>;
  /** One transaction: committed when `work` resolves, rolled back when it rejects. No retry in here. */
  transaction<T>(work: (connection: Connection) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** The server's version text; rejects with kind `unavailable` when the database cannot be reached. */
  version(): Promise<string>;
  pool(): PoolState;
  /** How many statements were sent since start; tests count with it. */
  statements(): number;
  close(): Promise<void>;
}
