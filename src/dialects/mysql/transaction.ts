// One transaction on one session. An error of a statement may leave the transaction open (a lock wait does), so it always ends in a
// ROLLBACK, or with the session itself.

import { AheadFailure, DatabaseError } from '../../core/vendor/database-error.js';
import type { AheadStatement, Connection, Statement } from '../../core/vendor/driver.js';
import type { StopSignal } from '../../core/vendor/stop-signal.js';
import { acquire } from './cancel.js';
import type { Pool } from './connection.js';
import { toDatabaseError } from './errors.js';
import type { Reply, Session } from './session.js';
import { statementTimeout } from './session-settings.js';

export interface TransactionContext {
  readonly pool: Pool;
  readonly statementTimeoutMs: number;
  send(session: Session, statement: Statement, limitMs: number, signal?: StopSignal): Promise<Reply>;
}

export interface TransactionKind {
  /** Statements may take as long as they need, since a large table is altered slowly; and what follows a statement that commits by itself is again a transaction. */
  readonly structure: boolean;
  /** No other process of this database is inside a transaction with a lock at the same time. */
  readonly lock: boolean;
}

export async function runTransaction<T>(
  context: TransactionContext,
  kind: TransactionKind,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const session = await acquire(context.pool);
  const limitMs = kind.structure ? 0 : context.statementTimeoutMs;
  const bound = bindConnection((statement, signal) => context.send(session, statement, limitMs, signal));
  try {
    await begin(context, kind, session);
    const result = await work(bound.connection);
    await bound.end();
    await control(session, 'COMMIT');
    await reset(context, kind, session);
    return result;
  } catch (error) {
    await bound.end();
    await rollBack(session, () => reset(context, kind, session));
    throw error;
  } finally {
    session.release();
  }
}

async function begin(context: TransactionContext, kind: TransactionKind, session: Session): Promise<void> {
  if (kind.structure) await control(session, `SET ${statementTimeout(context.pool.server(), 0)}, autocommit = 0`);
  if (kind.lock) await takeLock(session);
  await control(session, 'START TRANSACTION');
}

async function reset(context: TransactionContext, kind: TransactionKind, session: Session): Promise<void> {
  if (kind.lock) await control(session, `DO RELEASE_LOCK(${lockName})`);
  if (kind.structure) await control(session, `SET ${statementTimeout(context.pool.server(), context.statementTimeoutMs)}, autocommit = 1`);
}

const lockName = "CONCAT('tain ', MD5(DATABASE()))";
const lockSeconds = 60;

async function takeLock(session: Session): Promise<void> {
  const reply = await control(session, `SELECT GET_LOCK(${lockName}, ${lockSeconds})`);
  if (Number(reply.rows[0]?.[0]) !== 1) throw new DatabaseError('retry', 'Another process is changing the structure of this database.');
}

async function rollBack(session: Session, restore: () => Promise<void>): Promise<void> {
  try {
    await control(session, 'ROLLBACK');
    await restore();
  } catch {
    session.destroy();
  }
}

async function control(session: Session, text: string): Promise<Reply> {
  try {
    return await session.send({ text, values: [] }, 0);
  } catch (error) {
    throw toDatabaseError(error, text);
  }
}

interface BoundConnection {
  readonly connection: Connection;
  /** Waits for the statement under way; later ones are refused, as the session is no longer ours. */
  end(): Promise<void>;
}

/** One statement after the other: a cancelled one must not take another with it, and warnings are those of the last statement. */
function bindConnection(send: (statement: Statement, signal?: StopSignal) => Promise<Reply>): BoundConnection {
  let tail: Promise<unknown> = Promise.resolve();
  let ended = false;
  async function sendAhead(index: number, statement: AheadStatement, signal?: StopSignal): Promise<void> {
    try {
      const { rows } = await send(statement, signal);
      statement.told?.(rows);
    } catch (error) {
      throw error instanceof DatabaseError ? new AheadFailure(index, error) : error;
    }
  }
  function queue(statement: Statement, signal?: StopSignal): Promise<Reply> {
    const reply = tail.then(async () => {
      if (ended) throw new DatabaseError('other', 'The transaction has ended.');
      for (const [index, first] of (statement.ahead ?? []).entries()) await sendAhead(index, first, signal);
      return send(statement, signal);
    });
    tail = reply.catch(() => undefined);
    return reply;
  }
  return {
    connection: {
      rows: async (statement, signal) => (await queue(statement, signal)).rows,
      run: async (statement, signal) => (await queue(statement, signal)).affected,
    },
    async end() {
      ended = true;
      await tail;
    },
  };
}
