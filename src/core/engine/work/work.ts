// What every call of the engine runs with: the caller, the connection, and the signal that ends it. Inside a transaction `connection` is the
// transaction's own, so reads see what was written before them.

import type { Caller } from '../../access/view.js';
import type { Sql } from '../../sql/sql.js';
import type { Connection, Position } from '../../vendor/driver.js';
import type { StopSignal } from '../../vendor/stop-signal.js';
import type { StageClock } from './stage-clock.js';

export interface Work {
  readonly caller: Caller;
  readonly connection: Connection;
  readonly signal: StopSignal | null;
  /** Set inside a transaction: runs after the commit, never when it was rolled back (mails, events, cache clearing). */
  readonly afterCommit: ((effect: () => void | Promise<void>) => void) | null;
  /** Measures the stages of the request; absent or null: nothing is measured. */
  readonly clock?: StageClock | null;
  /**
   * Items may be read from a copy of the database that has everything up to this position; null: from any copy. Absent: from the primary. Never
   * set where something is decided or written after the read.
   */
  readonly readAfter?: Position | null;
  /** Called after a commit with the keys of the revisions that were made; absent or null: the request does not ask for them. */
  readonly onRevisions?: OnRevisions | null;
  /** Absent or null: the write follows from a request. */
  readonly origin?: WriteOrigin | null;
}

/** What a write follows from when automation makes it: it travels with every write, so that nothing starts itself forever. */
export interface WriteOrigin {
  /** How many runs led to it, one after the other. */
  readonly depth: number;
  /** What these runs worked on, in the words of automation. */
  readonly trail: readonly string[];
  /** No flow and no webhook learns of the write; subscribers always do. */
  readonly isSilent: boolean;
  /** A flow is tried out: the transaction is rolled back, and what runs because of the write leaves nothing behind. Absent: it is not. */
  readonly isRehearsal?: boolean;
}

export type OnRevisions = (keys: readonly number[]) => void;

/** A primary key in the form of requests and answers: a number or text; the parts of a composite key in key order. */
type KeyPart = string | number;
export type Key = KeyPart | readonly KeyPart[];

/** A value that exists once the transaction's connection has been flushed: call it after `flush`, not before. */
export type AfterFlush<T> = () => T;

/** What the INSERT of a new item can be asked to return besides its key: an expression and the literals it binds. */
export interface NewItemAnswer {
  readonly answer: Sql;
  readonly literals: readonly unknown[];
}
