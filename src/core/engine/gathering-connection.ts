// The connection of a running write: statements nobody waits for are kept back and go ahead of the next one, in one exchange.

import { AheadFailure } from '../vendor/database-error.js';
import type { AheadStatement, Connection, Row, Statement } from '../vendor/driver.js';

export type Told = (rows: readonly Row[]) => Promise<void>;

interface Waiting {
  readonly statement: Statement;
  /** What is thrown to whoever sends the statement, if it fails. */
  readonly explain?: (error: unknown) => unknown;
  /** Is given its rows before anybody goes on. */
  readonly told?: Told;
}

/** A driver may hold only so many requests at a time. */
const mostAhead = 16;

export class GatheringConnection implements Connection {
  readonly #connection: Connection;
  #waiting: Waiting[] = [];

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  later(statement: Statement, listeners: Omit<Waiting, 'statement'> = {}): void {
    this.#waiting.push({ statement, ...listeners });
  }

  rows(statement: Statement, signal?: AbortSignal): Promise<readonly Row[]> {
    return this.#behind(statement, (whole) => this.#connection.rows(whole, signal));
  }

  run(statement: Statement, signal?: AbortSignal): Promise<number> {
    return this.#behind(statement, (whole) => this.#connection.run(whole, signal));
  }

  /** Whether anybody wants to know the rows of what waits: he may have more to do then. */
  isAwaited(): boolean {
    return this.#waiting.some(({ told }) => told !== undefined);
  }

  async settle(): Promise<void> {
    if (this.isAwaited()) await this.flush();
  }

  /** Sends what waits. `last`: nothing follows in the transaction. */
  async flush(last = false): Promise<void> {
    const final = this.#waiting.pop();
    if (final === undefined) return;
    const rows = await this.rows({ ...final.statement, last }).catch((error: unknown) => {
      throw final.explain?.(error) ?? error;
    });
    await final.told?.(rows);
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
  const answers: (readonly Row[])[] = [];
  const ahead = waiting.map(({ statement: first, told }, index): AheadStatement => {
    if (told === undefined) return first;
    const keep = (rows: readonly Row[]): void => {
      answers[index] = rows;
    };
    return { ...first, told: keep };
  });
  const answer = await send({ ...statement, ahead }).catch((error: unknown) => {
    if (!(error instanceof AheadFailure)) throw error;
    throw waiting[error.index]?.explain?.(error.error) ?? error.error;
  });
  for (const [index, entry] of waiting.entries()) await entry.told?.(answers[index] ?? []);
  return answer;
}
