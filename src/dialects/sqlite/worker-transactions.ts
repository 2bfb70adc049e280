// Begin, commit and roll back on the writer. A structural transaction runs with foreign keys held back, because SQLite cannot switch
// them inside of one and dropping the old table of a rebuild would otherwise delete what points to it.

import type { SqliteConnection } from './connection.js';
import { ownCode } from './own-code.js';

export interface Transactions {
  begin(structure: boolean): void;
  commit(): void;
  rollback(): void;
  /** Throws unless a transaction is open. Once something in it has failed, nothing but its end is left to it. */
  inside<T>(act: () => T): T;
  /** A transaction of its own, brought to its end in any case: the next one may stand behind it already. */
  alone<T>(act: () => T): T;
}

export function createTransactions(connection: SqliteConnection): Transactions {
  const statements = new Map<string, () => void>();
  let beginFailure: unknown = null;
  let structural = false;
  let failed = false;

  function execute(text: string): void {
    let run = statements.get(text);
    if (run === undefined) {
      const statement = connection.prepare(text);
      run = () => statement.run([]);
      statements.set(text, run);
    }
    run();
  }

  /** A fresh statement each time: a setting is applied when it is prepared. */
  const set = (setting: string): void => {
    connection.prepare(`PRAGMA ${setting}`).run([]);
  };

  function finishStructure(): void {
    if (!structural) return;
    structural = false;
    set('legacy_alter_table = OFF');
    set('foreign_keys = ON');
  }

  function begin(structure: boolean): void {
    beginFailure = null;
    failed = false;
    structural = structure;
    try {
      if (structure) set('foreign_keys = OFF');
      execute('BEGIN IMMEDIATE');
    } catch (error) {
      beginFailure = error;
      finishStructure();
      throw error;
    }
  }

  function rollback(): void {
    if (connection.inTransaction()) execute('ROLLBACK');
    finishStructure();
  }

  // Statements are sent without waiting for BEGIN; when it failed, or SQLite rolled back by itself, none of them may run alone.
  function requireOpen(): void {
    if (connection.inTransaction() && !failed) return;
    throw beginFailure ?? Object.assign(new Error('the transaction was rolled back by an earlier error'), { code: ownCode.noTransaction });
  }

  return {
    begin,
    commit() {
      requireOpen();
      execute('COMMIT');
      finishStructure();
    },
    rollback,
    inside(act) {
      requireOpen();
      try {
        return act();
      } catch (error) {
        failed = true;
        throw error;
      }
    },
    alone(act) {
      begin(false);
      try {
        const answer = act();
        execute('COMMIT');
        return answer;
      } catch (error) {
        rollback();
        throw error;
      }
    },
  };
}
