// One connection as the rest of this folder sees it, whatever the driver package.

import type { Readable } from 'node:stream';
import type { Row, Statement } from '../../core/vendor/driver.js';

export interface Reply {
  readonly rows: readonly Row[];
  /** Of a compound statement: the rows of each of its parts that answers any. */
  readonly sets: readonly (readonly Row[])[];
  /** Rows touched; for an update, rows matched. */
  readonly affected: number;
  readonly warnings: number;
}

export interface Session {
  /** One statement at a time: the warnings of a result are those of the session's last statement. Rejects with the driver's error. */
  send(statement: Statement, timeoutMs: number): Promise<Reply>;
  /** Rows one by one, as the reader takes them. */
  read(statement: Statement): Readable;
  /** The warnings of the result that ended last. */
  warnings(): number;
  /** Stops the running statement from a connection of its own. The session is of no further use but for a rollback. Never rejects. */
  kill(): Promise<void>;
  /** Back to the pool, or away if it was killed. */
  release(): void;
  destroy(): void;
}
