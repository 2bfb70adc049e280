// One transaction on one session. An error of a statement may leave the transaction open (a lock wait does), so it always ends in a
// ROLLBACK, or with the session itself.

import { DatabaseError } from '../../core/vendor/database-error.js';
import type { Connection, Statement } from '../../core/vendor/driver.js';
import type { StopSignal } from '../../core/vendor/stop-signal.js';
import { acquire } from './cancel.js';
import type { Pool } from './connection.js';
import { toDatabaseError } from './errors.js';
import type { Reply, Session } from './session.js';
import { statementTimeout } from './session-settings.js';
import { TransactionConnection } from './transaction-connection.js';

export interface TransactionContext {
  readonly pool: Pool;
  readonly statementTimeoutMs: number;
  /** `parts`: how many statements these are in one. */
  send(session: Session, statement: Statement, limitMs: number, signal?: StopSignal, parts?: number): Promise<Reply>;
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
  const connection = new TransactionConnection({
    send: (statement, signal, parts) => context.send(session, statement, limitMs, signal, parts),
    start: () => control(session, 'START TRANSACTION'),
    compounds: context.pool.server().mariadb,
    closes: !kind.structure,
  });
  try {
    await prepare(context, kind, session);
    const result = await work(connection);
    if ((await connection.end()) === 'open') await control(session, 'COMMIT');
    await reset(context, kind, session);
    return result;
  } catch (error) {
    await connection.end();
    await rollBack(session, () => reset(context, kind, session));
    throw error;
  } finally {
    session.release();
  }
}

async function prepare(context: TransactionContext, kind: TransactionKind, session: Session): Promise<void> {
  if (kind.structure) await control(session, `SET ${statementTimeout(context.pool.server(), 0)}, autocommit = 0`);
  if (kind.lock) await takeLock(session);
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
