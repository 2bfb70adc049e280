// One state of the database, read on one session in one transaction.

import { DatabaseError } from '../../../core/vendor/database-error.js';
import type { Row, Statement } from '../../../core/vendor/driver.js';
import type { SnapshotReading } from '../../../core/vendor/transfer.js';
import { toDatabaseError } from './errors.js';
import type { Session } from './session.js';

const opening = [
  'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  // The file may be written slowly.
  'SET LOCAL statement_timeout = 0',
  'SET LOCAL idle_in_transaction_session_timeout = 0',
];

/** Rows may be large. */
const firstRows = 16;

export async function readSnapshot<T>(session: Session, work: (reading: SnapshotReading) => Promise<T>): Promise<T> {
  const rows = async (statement: Statement): Promise<readonly Row[]> => {
    try {
      return (await session.execute(statement, undefined, 'inside')).rows;
    } catch (error) {
      throw toDatabaseError(error);
    }
  };
  for (const text of opening) await rows({ kind: 'write', text, values: [] });
  const result = await work({
    rows,
    run: async () => Promise.reject(new DatabaseError('read-only', 'a snapshot is only read')),
    stream: (statement) => streamIn(session, statement),
  });
  await rows({ kind: 'write', text: 'COMMIT', values: [] });
  return result;
}

async function* streamIn(session: Session, statement: Statement): AsyncGenerator<readonly Row[]> {
  try {
    yield* session.stream(statement, undefined, firstRows);
  } catch (error) {
    throw toDatabaseError(error);
  }
}
