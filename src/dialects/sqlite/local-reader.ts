// A read-only connection on the main thread, for reads by key: the way through a worker costs more than they do. Reads that follow one
// another share a snapshot, because looking for a new one is a third of such a read: until the event loop has turned, or `renew` says that
// something may have been written of which this thread knows.

import type { Row, Statement } from '../../core/vendor/driver.js';
import type { SqliteConnection, SqliteStatement } from './connection.js';
import { wrapDatabaseError } from './errors.js';

export interface LocalReader {
  /** null: not possible here at the moment, ask a reader. */
  rows(statement: Statement): readonly Row[] | null;
  /** The same where there is one row at most. */
  first(statement: Statement): readonly Row[] | null;
  /** What is read from now on is as new as can be. */
  renew(): void;
  close(): void;
}

const statementsKept = 500;

export function createLocalReader(open: () => SqliteConnection): LocalReader {
  const prepared = new Map<string, SqliteStatement>();
  const connection = open();
  const begin = connection.prepare('BEGIN');
  const end = connection.prepare('COMMIT');
  let turn: 'without reads' | 'with one read' | 'with a snapshot' = 'without reads';

  function find(text: string): SqliteStatement {
    const known = prepared.get(text);
    if (known !== undefined && prepared.size <= statementsKept / 2) return known;
    const kept = known ?? connection.prepare(text);
    prepared.delete(text);
    prepared.set(text, kept);
    if (prepared.size > statementsKept) forgetOldest();
    return kept;
  }

  /** A read that stays alone begins no transaction. */
  function enter(): void {
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
    // Some failures have ended it already.
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

  function forgetOldest(): void {
    for (const text of prepared.keys()) {
      prepared.delete(text);
      return;
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
