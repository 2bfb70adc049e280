// One state of the database, read on one session in one transaction. The session is not used again: its settings are those of this reading.

import { noTables } from '../../../core/vendor/connection-pool.js';
import { DatabaseError } from '../../../core/vendor/database-error.js';
import type { Row, Statement } from '../../../core/vendor/driver.js';
import type { SnapshotReading } from '../../../core/vendor/transfer.js';
import type { Pool } from './connection.js';
import { toDatabaseError } from './errors.js';
import type { Session } from './session.js';
import { statementTimeout } from './session-settings.js';
import { batches } from './stream-rows.js';

/** Rows may be large, so few of them wait in memory. */
const rowsAhead = 16;

export async function readSnapshot<T>(pool: Pool, work: (reading: SnapshotReading) => Promise<T>): Promise<T> {
  const session = await pool.acquire(noTables);
  const rows = async (statement: Statement): Promise<readonly Row[]> => {
    try {
      return (await session.send(statement, 0)).rows;
    } catch (error) {
      throw toDatabaseError(error, statement.text);
    }
  };
  const control = (text: string): Promise<readonly Row[]> => rows({ kind: 'write', text, values: [] });
  try {
    await control(`SET ${statementTimeout(pool.server(), 0)}`);
    await control('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await control('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
    const run = async (): Promise<never> => Promise.reject(new DatabaseError('read-only', 'a snapshot is only read'));
    return await work({ rows, run, stream: (statement) => streamIn(session, statement) });
  } finally {
    session.destroy();
  }
}

async function* streamIn(session: Session, statement: Statement): AsyncGenerator<readonly Row[]> {
  try {
    yield* batches(session, session.read(statement, rowsAhead));
  } catch (error) {
    throw toDatabaseError(error, statement.text);
  }
}
