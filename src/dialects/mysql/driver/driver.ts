// The Driver port of MariaDB and MySQL, over the pool of connection.ts: translates errors, cancels statements, runs transactions and refuses
// truncated answers.

import { noTables } from '../../../core/vendor/connection-pool.js';
import { mayRetry } from '../../../core/vendor/database-error.js';
import type { Connection, Driver, Statement } from '../../../core/vendor/driver.js';
import type { StopSignal } from '../../../core/vendor/stop-signal.js';
import type { Transfer } from '../../../core/vendor/transfer.js';
import { sendCancellable } from './cancel.js';
import type { Pool } from './connection.js';
import { refuseCutAnswer } from './cut-answers.js';
import { isConnectionLost, toDatabaseError } from './errors.js';
import type { Reply, Session } from './session.js';
import { statementTimeout } from './session-settings.js';
import { readSnapshot } from './snapshot.js';
import { streamRows } from './stream-rows.js';
import { runTransaction } from './transaction.js';

/** The server stops a statement at its time limit. If it does not answer, the client gives up this much later. */
const watchdogMs = 2000;

export interface MysqlDriver extends Driver {
  /** Runs a structural transaction under a lock that no other process on this database holds at the same time. */
  exclusively<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  readonly snapshot: Transfer['snapshot'];
}

export function createDriver(pool: Pool, statementTimeoutMs: number): MysqlDriver {
  let sent = 0;

  async function send(session: Session, statement: Statement, limitMs: number, signal?: StopSignal, parts = 1): Promise<Reply> {
    sent += parts;
    try {
      const reply = await sendCancellable(session, statement, limitMs === 0 ? 0 : limitMs + watchdogMs, signal);
      if (reply.warnings > 0) await refuseCutAnswer(session);
      return reply;
    } catch (error) {
      throw pool.follow(toDatabaseError(error, statement.text));
    }
  }

  /** A read is sent once more if its connection breaks, on another one, or if a change of structure on another node of a cluster pushed it aside. */
  async function once(statement: Statement, signal?: StopSignal, mayRepeat = true): Promise<Reply> {
    const session = await pool.acquire(statement.tables ?? noTables, signal);
    try {
      return await send(session, statement, statementTimeoutMs, signal);
    } catch (error) {
      const lost = isConnectionLost(error);
      if (!mayRepeat || statement.kind !== 'read' || !(lost || mayRetry(error))) throw error;
      if (lost) {
        session.destroy();
        pool.dropIdle();
      }
    } finally {
      session.release();
    }
    return once(statement, signal, false);
  }

  const context = { pool, statementTimeoutMs, send };
  return {
    rows: async (statement, signal) => (await once(statement, signal)).rows,
    run: async (statement, signal) => (await once(statement, signal)).affected,
    async *stream(statement, signal) {
      const session = await pool.acquire(statement.tables ?? noTables, signal);
      sent += 1;
      const limit = (ms: number) => `SET ${statementTimeout(pool.server(), ms)}`;
      yield* streamRows(session, statement, { firstRowMs: statementTimeoutMs, lift: limit(0), restore: limit(statementTimeoutMs) }, signal);
    },
    transaction: (work, options) => runTransaction(context, { structure: options?.structure === true, lock: false }, work),
    exclusively: (work) => runTransaction(context, { structure: true, lock: true }, work),
    snapshot: (work) => readSnapshot(pool, work),
    version: async () => String((await once({ kind: 'read', text: 'SELECT VERSION()', values: [] })).rows[0]?.[0]),
    pool: () => pool.state(),
    statements: () => sent,
    close: () => pool.close(),
  };
}
