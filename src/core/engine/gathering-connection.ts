// The connection of a running write: statements nobody waits for are kept back and go ahead of the next one, in one exchange.

import { AheadFailure } from '../vendor/database-error.js';
import type { Connection, Row, Statement } from '../vendor/driver.js';

interface Waiting {
  readonly statement: Statement;
  readonly explain: (error: unknown) => unknown;
}

export class GatheringConnection implements Connection {
  readonly #connection: Connection;
  #waiting: Waiting[] = [];

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** `explain`: what is thrown to whoever sends the statement, if it fails. */
  later(statement: Statement, explain: (error: unknown) => unknown): void {
    this.#waiting.push({ statement, explain });
  }

  rows(statement: Statement, signal?: AbortSignal): Promise<readonly Row[]> {
    return this.#behind(statement, (whole) => this.#connection.rows(whole, signal));
  }

  run(statement: Statement, signal?: AbortSignal): Promise<number> {
    return this.#behind(statement, (whole) => this.#connection.run(whole, signal));
  }

  async flush(): Promise<void> {
    const last = this.#waiting.pop();
    if (last === undefined) return;
    try {
      await this.run(last.statement);
    } catch (error) {
      throw last.explain(error);
    }
  }

  #behind<T>(statement: Statement, send: (whole: Statement) => Promise<T>): Promise<T> {
    if (this.#waiting.length === 0) return send(statement);
    const waiting = this.#waiting;
    this.#waiting = [];
    return send({ ...statement, ahead: waiting.map((entry) => entry.statement) }).catch((error: unknown) => {
      throw error instanceof AheadFailure ? waiting[error.index]?.explain(error.error) : error;
    });
  }
}
