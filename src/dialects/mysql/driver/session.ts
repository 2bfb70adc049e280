// A connection as the other files of this folder see it, independent of the package.

import type { Readable } from 'node:stream';
import type { Row, Statement } from '../../../core/vendor/driver.js';

export interface Reply {
  readonly rows: readonly Row[];
  /** The rows of each part of a compound statement that returns any. */
  readonly sets: readonly (readonly Row[])[];
  /** The number of changed rows; for an UPDATE, of matched rows. */
  readonly affected: number;
  readonly warnings: number;
}

export interface Session {
  /** Send one statement at a time, because warnings are those of the last statement. Rejects with the error of the package. */
  send(statement: Statement, timeoutMs: number): Promise<Reply>;
  /** A stream of rows, with back-pressure. `ahead`: how many rows wait for the consumer. */
  read(statement: Statement, ahead?: number): Readable;
  /** States whether `read` waits for the server, or for its consumer. */
  wait(waiting: boolean): void;
  /** The number of warnings of the last result. */
  warnings(): number;
  /** Stops the running statement. Afterwards the session serves only for a rollback. Never rejects. */
  kill(): Promise<void>;
  /** Ends the connection, also on the server, whatever runs on it. Afterwards the session serves for nothing. Never rejects. */
  abandon(): Promise<void>;
  /** Returns the session to the pool, or destroys it if it was killed. */
  release(): void;
  destroy(): void;
}
