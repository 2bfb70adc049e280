// A read-only connection on the main thread, for reads by key: the way through a worker costs more than they do.

import type { Row, Statement } from '../../core/vendor/driver.js';
import type { SqliteConnection, SqliteStatement } from './connection.js';
import { wrapDatabaseError } from './errors.js';

export interface LocalReader {
  /** null: not possible here at the moment, ask a reader. */
  rows(statement: Statement): readonly Row[] | null;
  /** The same where there is one row at most. */
  first(statement: Statement): readonly Row[] | null;
  close(): void;
}

const statementsKept = 500;

export function createLocalReader(open: () => SqliteConnection): LocalReader {
  const prepared = new Map<string, SqliteStatement>();
  const connection = open();

  function find(text: string): SqliteStatement {
    const known = prepared.get(text);
    if (known !== undefined && prepared.size <= statementsKept / 2) return known;
    const kept = known ?? connection.prepare(text);
    prepared.delete(text);
    prepared.set(text, kept);
    if (prepared.size > statementsKept) forgetOldest();
    return kept;
  }

  function read(act: () => readonly Row[]): readonly Row[] | null {
    try {
      return act();
    } catch (cause) {
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
    close: () => connection.close(),
  };
}
