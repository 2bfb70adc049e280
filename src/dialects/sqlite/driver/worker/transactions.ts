// Begins, commits and rolls back transactions on the writer. A structural transaction runs with foreign keys off, because SQLite cannot switch
// them inside a transaction, and dropping the old table of a rebuild would delete or clear the rows that refer to it.

import type { SqliteConnection } from '../connection.js';
import { errorCode } from '../error-codes.js';

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

export class Transactions {
  readonly #connection: SqliteConnection;
  readonly #statements = new Map<string, () => void>();
  #beginFailure: unknown = null;
  #structural = false;
  #failed = false;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  begin(structure: boolean): void {
    this.#beginFailure = null;
    this.#failed = false;
    this.#structural = structure;
    try {
      if (structure) this.#set('foreign_keys = OFF');
      this.#execute('BEGIN IMMEDIATE');
    } catch (error) {
      this.#beginFailure = error;
      this.#finishStructure();
      throw error;
    }
  }

  commit(): void {
    this.#requireOpen();
    this.#execute('COMMIT');
    this.#finishStructure();
  }

  rollback(): void {
    if (this.#connection.inTransaction()) this.#execute('ROLLBACK');
    this.#finishStructure();
  }

  /** Accepts statements again after a failure. The caller must roll back to a savepoint next. */
  recover(): void {
    this.#failed = false;
  }

  /** Runs `act` in the open transaction. After a failure, only `recover` and the end of the transaction are accepted. */
  inside<T>(act: () => T): T {
    this.#requireOpen();
    try {
      return act();
    } catch (error) {
      this.#failed = true;
      throw error;
    }
  }

  /** Runs `act` as a whole transaction. It is always ended, because the next transaction may already be waiting. */
  alone<T>(act: () => T): T {
    this.begin(false);
    try {
      const answer = act();
      this.#execute('COMMIT');
      return answer;
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  /**
   * Runs several transactions with one commit, because waiting for the disk is most of the cost of a small transaction. If one fails, all of them run
   * again, each in a savepoint, so that it can be undone alone; without a failure there is no cost for savepoints. null: nothing has been changed, and
   * the caller must run them one by one.
   */
  together<T>(acts: readonly (() => T)[]): readonly Outcome<T>[] | null {
    const outcomes = this.#withOneCommit(acts, succeed);
    if (outcomes !== null || this.#beginFailure !== null) return outcomes;
    return this.#withOneCommit(acts, (act) => this.#guarded(act));
  }

  #withOneCommit<T>(acts: readonly (() => T)[], run: (act: () => T) => Outcome<T>): readonly Outcome<T>[] | null {
    try {
      this.begin(false);
      const outcomes = acts.map(run);
      this.#execute('COMMIT');
      return outcomes;
    } catch {
      this.rollback();
      return null;
    }
  }

  #guarded<T>(act: () => T): Outcome<T> {
    this.#execute('SAVEPOINT one');
    try {
      const value = act();
      this.#execute('RELEASE one');
      return { ok: true, value };
    } catch (error) {
      // If SQLite has rolled back the transaction itself, the savepoint is gone and this throws; then the caller runs them one by one.
      this.#execute('ROLLBACK TO one');
      this.#execute('RELEASE one');
      return { ok: false, error };
    }
  }

  #execute(text: string): void {
    let run = this.#statements.get(text);
    if (run === undefined) {
      const statement = this.#connection.prepare(text);
      run = () => statement.run([]);
      this.#statements.set(text, run);
    }
    run();
  }

  /** Prepared each time, because some pragmas take effect when they are prepared. */
  #set(setting: string): void {
    this.#connection.prepare(`PRAGMA ${setting}`).run([]);
  }

  #finishStructure(): void {
    if (!this.#structural) return;
    this.#structural = false;
    this.#set('legacy_alter_table = OFF');
    this.#set('foreign_keys = ON');
  }

  /** Statements are sent without waiting for BEGIN. If it failed, or SQLite rolled back by itself, they must not run outside of a transaction. */
  #requireOpen(): void {
    if (this.#connection.inTransaction() && !this.#failed) return;
    throw (
      this.#beginFailure ??
      Object.assign(new Error('the transaction was rolled back by an earlier error'), { code: errorCode.noTransaction })
    );
  }
}

const succeed = <T>(act: () => T): Outcome<T> => ({ ok: true, value: act() });
