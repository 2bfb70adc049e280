// A read-only connection on the main thread for reads by key, which cost less than a message to a worker and back. The reads of one turn of
// the event loop share a snapshot, because opening one takes a third of such a read. `renew` ends the snapshot when a worker has replied,
// so that a read sees every write that this process knows to be committed. Without a write-ahead log every read has a snapshot of its own:
// a shared one would lock writers out of the file, and an embedding application that writes on this thread would wait for itself.

import { Lru } from '../../../core/util/lru.js';
import type { Row, Statement } from '../../../core/vendor/driver.js';
import type { SqliteConnection, SqliteStatement } from './connection.js';
import { wrapDatabaseError } from './errors.js';

export interface LocalReader {
  /** null: the file is busy; use a reader instead. */
  rows(statement: Statement): readonly Row[] | null;
  /** Like `rows`, for a statement that finds at most one row. */
  first(statement: Statement): readonly Row[] | null;
  /** Makes the next read use a new snapshot. */
  renew(): void;
  close(): void;
}

const maxStatements = 500;

export function createLocalReader(open: () => SqliteConnection): LocalReader {
  const prepared = new Lru<string, SqliteStatement>(maxStatements);
  const connection = open();
  const begin = connection.prepare('BEGIN');
  const end = connection.prepare('COMMIT');
  const sharesSnapshots = connection.hasWal();
  let turn: 'without reads' | 'with one read' | 'with a snapshot' = 'without reads';

  function find(text: string): SqliteStatement {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const statement = connection.prepare(text);
    prepared.set(text, statement);
    return statement;
  }

  /** The first read of a turn begins no transaction, since it may remain the only one; the second does. */
  function enter(): void {
    if (!sharesSnapshots) return;
    if (turn === 'without reads') {
      turn = 'with one read';
      setImmediate(leave);
    } else if (turn === 'with one read') {
      begin.run([]);
      turn = 'with a snapshot';
    }
  }

  function renew(): void {
    if (turn !== 'with a snapshot') return;
    turn = 'with one read';
    // Some errors end the transaction by themselves.
    if (connection.inTransaction()) end.run([]);
  }

  function leave(): void {
    renew();
    turn = 'without reads';
  }

  function read(act: () => readonly Row[]): readonly Row[] | null {
    try {
      enter();
      return act();
    } catch (cause) {
      renew();
      const error = wrapDatabaseError(cause);
      if (error.kind === 'retry') return null;
      throw error;
    }
  }

  return {
    rows: ({ text, values }) => read(() => find(text).rows(values)),
    first: ({ text, values }) => read(() => find(text).first(values)),
    renew,
    close() {
      renew();
      connection.close();
    },
  };
}
