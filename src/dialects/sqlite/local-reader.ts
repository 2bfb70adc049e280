// A read-only connection on the main thread, for reads by key: the way through a worker costs more than they do.

import type { Row, Statement } from '../../core/vendor/driver.js';
import type { SqliteConnection, SqliteStatement } from './connection.js';
import { wrapDatabaseError } from './errors.js';

export interface LocalReader {
  /** null: not possible here at the moment, ask a reader. */
  rows(statement: Statement): readonly Row[] | null;
  close(): void;
}

const statementsKept = 500;

export function createLocalReader(open: () => SqliteConnection): LocalReader {
  const prepared = new Map<string, SqliteStatement>();
  const connection = open();

  function find(text: string): SqliteStatement {
    const kept = prepared.get(text) ?? connection.prepare(text);
    prepared.delete(text);
    prepared.set(text, kept);
    if (prepared.size > statementsKept) forgetOldest();
    return kept;
  }

  function forgetOldest(): void {
    for (const text of prepared.keys()) {
      prepared.delete(text);
      return;
    }
  }

  return {
    rows(statement) {
      try {
        return find(statement.text).rows(statement.values);
      } catch (cause) {
        const error = wrapDatabaseError(cause);
        if (error.kind === 'retry') return null;
        throw error;
      }
    },
    close: () => connection.close(),
  };
}
