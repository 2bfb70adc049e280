// The connection of a transaction that writes. Statements whose answer is not needed before the next one are queued and sent in front of
// it in one exchange, so that a nested create of several tables takes one round trip. The keys they generate can be used at once, as
// pending keys.

import { QueuedFailure } from '../vendor/database-error.js';
import type { Connection, QueuedStatement, Row, Statement } from '../vendor/driver.js';
import type { StopSignal } from '../vendor/stop-signal.js';
import { KeyBatch } from './key-batch.js';

export type OnRows = (rows: readonly Row[]) => void;

export interface QueueOptions {
  /** Called with the statement's rows before the call that sends the statement resolves. */
  readonly onRows?: OnRows;
  /** Turns the database's error into the one to throw, if this statement fails; the call that sends the statement throws it. */
  readonly explain?: (error: unknown) => unknown;
}

interface Queued extends QueueOptions {
  readonly statement: Statement;
}

/** A longer queue is sent in several exchanges: what comes back for one exchange is held in memory whole. */
const maxQueued = 16;

export class PipelinedConnection implements Connection {
  readonly #connection: Connection;
  #queue: Queued[] = [];
  readonly #counted: { batches: number };

  constructor(connection: Connection, counted = { batches: 0 }) {
    this.#connection = connection;
    this.#counted = counted;
  }

  /**
   * For work that may be rolled back to a savepoint: what is queued in the nested connection can be dropped without touching what is queued
   * here. Both count batches together, so that their names stay different: the database keeps what a name stands for until the transaction ends.
   */
  nested(): PipelinedConnection {
    return new PipelinedConnection(this, this.#counted);
  }

  /** Sends the statement with the next one, or with `flush`. */
  enqueue(statement: Statement, options: QueueOptions = {}): void {
    this.#queue.push({ statement, ...options });
  }

  /** A read of the mirrored database takes nothing along: what is queued belongs to the other one. */
  rows(statement: Statement, signal?: StopSignal): Promise<readonly Row[]> {
    if (statement.mirrored === true) return this.#connection.rows(statement, signal);
    return this.#behindQueue(statement, (whole) => this.#connection.rows(whole, signal));
  }

  run(statement: Statement, signal?: StopSignal): Promise<number> {
    return this.#behindQueue(statement, (whole) => this.#connection.run(whole, signal));
  }

  /** The keys that the next queued INSERT of `rows` rows generates. */
  newBatch(rows: number): KeyBatch {
    this.#counted.batches += 1;
    return new KeyBatch(this.#counted.batches - 1, rows);
  }

  /** Sends everything that is queued. `last`: nothing follows in the transaction, so the driver may commit with it. */
  async flush(last = false): Promise<void> {
    const final = this.#queue.pop();
    if (final === undefined) return;
    const rows = await this.rows({ last, ...final.statement }).catch((error: unknown) => {
      throw final.explain?.(error) ?? error;
    });
    final.onRows?.(rows);
  }

  async #behindQueue<T>(statement: Statement, send: (whole: Statement) => Promise<T>): Promise<T> {
    while (this.#queue.length > maxQueued) {
      const some = new PipelinedConnection(this.#connection);
      some.#queue = this.#queue.splice(0, maxQueued);
      await some.flush();
    }
    const queue = this.#queue;
    this.#queue = [];
    return queue.length === 0 ? send(statement) : sendBehind(queue, statement, send);
  }
}

async function sendBehind<T>(queue: readonly Queued[], statement: Statement, send: (whole: Statement) => Promise<T>): Promise<T> {
  const queued = queue.map(({ statement: first, onRows }): QueuedStatement => (onRows === undefined ? first : { onRows, ...first }));
  return send({ queued, ...statement }).catch((error: unknown) => {
    if (!(error instanceof QueuedFailure)) throw error;
    throw queue[error.index]?.explain?.(error.error) ?? error.error;
  });
}
