// One state of the file, read by one worker in one transaction. In a file with a write-ahead log others write meanwhile; without one they wait.

import { DatabaseError } from '../../../core/vendor/database-error.js';
import type { Row, Statement } from '../../../core/vendor/driver.js';
import type { SnapshotReading } from '../../../core/vendor/transfer.js';
import { replyToRows } from './reply-rows.js';
import { type Reply, replyKind, requestKind } from './worker/messages.js';
import type { WorkerClient } from './worker-client.js';

export async function readSnapshot<T>(reader: WorkerClient, work: (reading: SnapshotReading) => Promise<T>): Promise<T> {
  const ask = (kind: typeof requestKind.rows | typeof requestKind.run | typeof requestKind.open, statement: Statement): Promise<Reply> =>
    new Promise((resolve) => {
      reader.sendStatement(kind, statement, resolve);
    });
  const rows = async (statement: Statement): Promise<readonly Row[]> => replyToRows(await ask(requestKind.rows, statement));
  async function* stream(statement: Statement): AsyncGenerator<readonly Row[]> {
    for (let reply = await ask(requestKind.open, statement); ; reply = await next(reader, requestKind.next)) {
      const found = replyToRows(reply);
      if (found.length > 0) yield found;
      if (reply[0] === replyKind.last) return;
    }
  }
  const control = async (text: string): Promise<void> => {
    replyToRows(await ask(requestKind.rows, { kind: 'write', text, values: [] }));
  };
  await control('BEGIN');
  try {
    // The snapshot begins with the first read.
    await rows({ kind: 'read', text: 'SELECT count(*) FROM sqlite_schema', values: [] });
    return await work({ rows, stream, run: async () => Promise.reject(new DatabaseError('read-only', 'a snapshot is only read')) });
  } finally {
    await next(reader, requestKind.end);
    await control('ROLLBACK');
  }
}

const next = (reader: WorkerClient, kind: typeof requestKind.next | typeof requestKind.end): Promise<Reply> =>
  new Promise((resolve) => {
    reader.sendPlain(kind, resolve);
  });
