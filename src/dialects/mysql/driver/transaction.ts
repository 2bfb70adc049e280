// Runs one transaction on one session. A failed statement may leave the transaction open (as a lock timeout does), so a failure always ends in
// ROLLBACK, or in the end of the session if that fails.

import { firstTableOf, structureTables } from '../../../core/vendor/connection-pool.js';
import { DatabaseError } from '../../../core/vendor/database-error.js';
import type { Connection, Statement } from '../../../core/vendor/driver.js';
import type { StopSignal } from '../../../core/vendor/stop-signal.js';
import { databaseDigest } from '../types/server.js';
import type { Pool } from './connection.js';
import { toDatabaseError } from './errors.js';
import type { Reply, Session } from './session.js';
import { statementTimeout } from './session-settings.js';
import { TransactionConnection } from './transaction-connection.js';

export interface TransactionContext {
  readonly pool: Pool;
  readonly statementTimeoutMs: number;
  /** `parts`: the number of statements in a compound statement. */
  send(session: Session, statement: Statement, limitMs: number, signal?: StopSignal, parts?: number): Promise<Reply>;
}

export interface TransactionKind {
  /**
   * Statements have no time limit, because a large table is altered slowly. autocommit is off, so that the statements after a DDL statement, which
   * commits implicitly, are in a transaction again.
   */
  readonly structure: boolean;
  /** Hold the lock of the database, which only one process can have. */
  readonly lock: boolean;
}

export async function runTransaction<T>(
  context: TransactionContext,
  kind: TransactionKind,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  let taken: Session | null = null;
  // Taken at the first statement, whose table decides how many connections the pool grants.
  const take = async (first: Statement): Promise<Session> => {
    taken ??= await context.pool.acquire(kind.structure ? structureTables : firstTableOf(first));
    return taken;
  };
  const limitMs = kind.structure ? 0 : context.statementTimeoutMs;
  const connection = new TransactionConnection({
    send: async (statement, signal, parts) => context.send(await take(statement), statement, limitMs, signal, parts),
    start: async (first) => control(await take(first), 'START TRANSACTION'),
    compounds: context.pool.server().mariadb,
    closes: !kind.structure,
  });
  try {
    if (kind.structure) await prepare(context, kind, await take({ kind: 'ddl', text: '', values: [] }));
    const result = await work(connection);
    const state = await connection.end();
    await finish(taken, async (session) => {
      if (state === 'open') await commit(context.pool, session);
      await reset(context, kind, session);
    });
    return result;
  } catch (error) {
    await connection.end();
    await finish(taken, (session) => rollBack(session, () => reset(context, kind, session)));
    throw error;
  } finally {
    await finish(taken, async (session) => session.release());
  }
}

/** Acts on the session, if a statement has taken one. */
async function finish(taken: Session | null, act: (session: Session) => Promise<void>): Promise<void> {
  if (taken !== null) await act(taken);
}

async function prepare(context: TransactionContext, kind: TransactionKind, session: Session): Promise<void> {
  if (kind.structure) await control(session, `SET ${statementTimeout(context.pool.server(), 0)}, autocommit = 0`);
  if (kind.lock) await takeLock(context.pool, session);
}

async function reset(context: TransactionContext, kind: TransactionKind, session: Session): Promise<void> {
  if (kind.lock) await control(session, `DO RELEASE_LOCK(${lockName(context.pool)})`);
  if (kind.structure) await control(session, `SET ${statementTimeout(context.pool.server(), context.statementTimeoutMs)}, autocommit = 1`);
}

const lockName = (pool: Pool): string => `CONCAT('tain ', ${databaseDigest(pool.server())})`;
const lockSeconds = 60;

async function takeLock(pool: Pool, session: Session): Promise<void> {
  const reply = await control(session, `SELECT GET_LOCK(${lockName(pool)}, ${lockSeconds})`);
  if (Number(reply.rows[0]?.[0]) !== 1) throw new DatabaseError('retry', 'Another process is changing the structure of this database.');
}

async function commit(pool: Pool, session: Session): Promise<void> {
  try {
    await control(session, 'COMMIT');
  } catch (error) {
    throw error instanceof DatabaseError ? pool.follow(error) : error;
  }
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
    return await session.send({ kind: 'write', text, values: [] }, 0);
  } catch (error) {
    throw toDatabaseError(error, text);
  }
}
