// The connection of a running write: statements nobody waits for are kept back and go ahead of the next one, in one exchange. What they
// count can be named by those behind them all the same, as late values.

import { Counter } from '../sql/late-value.js';
import { AheadFailure } from '../vendor/database-error.js';
import type { AheadStatement, Connection, Row, Statement } from '../vendor/driver.js';
import type { StopSignal } from '../vendor/stop-signal.js';

export type Told = (rows: readonly Row[]) => void;

/** What is known once everything that waits has been sent. */
export type Pending<T> = () => T;

interface Waiting {
  readonly statement: Statement;
  /** What is thrown to whoever sends the statement, if it fails. */
  readonly explain?: (error: unknown) => unknown;
  /** Is given its rows before anybody goes on. */
  readonly told?: Told;
}

/** An exchange of more is sent in parts, so that what comes back stays small. */
const mostAhead = 16;

export class GatheringConnection implements Connection {
  readonly #connection: Connection;
  #waiting: Waiting[] = [];
  #counters = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  later(statement: Statement, listeners: Omit<Waiting, 'statement'> = {}): void {
    this.#waiting.push({ statement, ...listeners });
  }

  rows(statement: Statement, signal?: StopSignal): Promise<readonly Row[]> {
    return this.#behind(statement, (whole) => this.#connection.rows(whole, signal));
  }

  run(statement: Statement, signal?: StopSignal): Promise<number> {
    return this.#behind(statement, (whole) => this.#connection.run(whole, signal));
  }

  /** For the next statement that counts so many rows. */
  counter(rows: number): Counter {
    this.#counters += 1;
    return new Counter(this.#counters - 1, rows);
  }

  /** Sends what waits. `last`: nothing follows in the transaction. */
  async flush(last = false): Promise<void> {
    const final = this.#waiting.pop();
    if (final === undefined) return;
    const rows = await this.rows({ last, ...final.statement }).catch((error: unknown) => {
      throw final.explain?.(error) ?? error;
    });
    final.told?.(rows);
  }

  async #behind<T>(statement: Statement, send: (whole: Statement) => Promise<T>): Promise<T> {
    while (this.#waiting.length > mostAhead) {
      const some = new GatheringConnection(this.#connection);
      some.#waiting = this.#waiting.splice(0, mostAhead);
      await some.flush();
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting.length === 0 ? send(statement) : sendBehind(waiting, statement, send);
  }
}

async function sendBehind<T>(waiting: readonly Waiting[], statement: Statement, send: (whole: Statement) => Promise<T>): Promise<T> {
  const ahead = waiting.map(({ statement: first, told }): AheadStatement => (told === undefined ? first : { told, ...first }));
  return send({ ahead, ...statement }).catch((error: unknown) => {
    if (!(error instanceof AheadFailure)) throw error;
    throw waiting[error.index]?.explain?.(error.error) ?? error.error;
  });
}
