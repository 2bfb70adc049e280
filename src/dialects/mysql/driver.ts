// The Driver port over the pool: errors in one vocabulary, cancelling, transactions, and the guard against answers that were cut.

import type { Connection, Driver, Statement } from '../../core/vendor/driver.js';
import type { StopSignal } from '../../core/vendor/stop-signal.js';
import { acquire, sendCancellable } from './cancel.js';
import type { Pool } from './connection.js';
import { toDatabaseError } from './errors.js';
import { refuseCutAnswer } from './refuse-cut-answer.js';
import type { Reply, Session } from './session.js';
import { statementTimeout } from './session-settings.js';
import { streamRows } from './stream-rows.js';
import { runTransaction } from './transaction.js';

/** The server ends a statement at its limit; should it not answer at all, the client gives up this much later. */
const watchdogMs = 2000;

export interface MysqlDriver extends Driver {
  /** A structural transaction that no other process on this database runs at the same time. */
  exclusively<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
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
      throw toDatabaseError(error, statement.text);
    }
  }

  async function once(statement: Statement, signal?: StopSignal): Promise<Reply> {
    const session = await acquire(pool, signal);
    try {
      return await send(session, statement, statementTimeoutMs, signal);
    } finally {
      session.release();
    }
  }

  const context = { pool, statementTimeoutMs, send };
  return {
    rows: async (statement, signal) => (await once(statement, signal)).rows,
    run: async (statement, signal) => (await once(statement, signal)).affected,
    async *stream(statement, signal) {
      const session = await acquire(pool, signal);
      sent += 1;
      const limit = (ms: number) => `SET ${statementTimeout(pool.server(), ms)}`;
      yield* streamRows(session, statement, { firstRowMs: statementTimeoutMs, lift: limit(0), restore: limit(statementTimeoutMs) }, signal);
    },
    transaction: (work, options) => runTransaction(context, { structure: options?.structure === true, lock: false }, work),
    exclusively: (work) => runTransaction(context, { structure: true, lock: true }, work),
    version: async () => String((await once({ text: 'SELECT VERSION()', values: [] })).rows[0]?.[0]),
    pool: () => pool.state(),
    statements: () => sent,
    close: () => pool.close(),
  };
}
