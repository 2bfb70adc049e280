// Begin, commit and roll back on the writer. A structural transaction runs with foreign keys held back, because SQLite cannot switch
// them inside of one and dropping the old table of a rebuild would otherwise delete what points to it.

import type { SqliteConnection } from './connection.js';
import { ownCode } from './own-code.js';

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

  /** Throws unless a transaction is open. Once something in it has failed, nothing but its end is left to it. */
  inside<T>(act: () => T): T {
    this.#requireOpen();
    try {
      return act();
    } catch (error) {
      this.#failed = true;
      throw error;
    }
  }

  /** A transaction of its own, brought to its end in any case: the next one may stand behind it already. */
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
   * Several of them with one commit, since waiting for the disk is what a small transaction costs most. When one fails, they begin
   * again with a savepoint for each, so that each is undone by itself; nobody pays for savepoints while nothing fails. null: nothing
   * has happened, and they have to be run one by one.
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
      // Where SQLite rolled back by itself there is nothing left to go back to: this throws, and all of them are run again.
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

  /** A fresh statement each time: a setting is applied when it is prepared. */
  #set(setting: string): void {
    this.#connection.prepare(`PRAGMA ${setting}`).run([]);
  }

  #finishStructure(): void {
    if (!this.#structural) return;
    this.#structural = false;
    this.#set('legacy_alter_table = OFF');
    this.#set('foreign_keys = ON');
  }

  /** Statements are sent without waiting for BEGIN; when it failed, or SQLite rolled back by itself, none of them may run alone. */
  #requireOpen(): void {
    if (this.#connection.inTransaction() && !this.#failed) return;
    throw (
      this.#beginFailure ?? Object.assign(new Error('the transaction was rolled back by an earlier error'), { code: ownCode.noTransaction })
    );
  }
}

const succeed = <T>(act: () => T): Outcome<T> => ({ ok: true, value: act() });
