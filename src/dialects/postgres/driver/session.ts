// One connection with its state: the statements it has prepared, and the statement in progress.

import { DatabaseError, QueuedFailure } from '../../../core/vendor/database-error.js';
import type { Row, Statement } from '../../../core/vendor/driver.js';
import type { StopSignal } from '../../../core/vendor/stop-signal.js';
import { stopUntilEnded } from '../../../core/vendor/stop-until-ended.js';
import { isPreparedNameLost, toDatabaseError } from './errors.js';
import { PortalExchange } from './portal-exchange.js';
import { PreparedNames } from './prepared-names.js';
import { type Carried, type CarriedAfter, StatementExchange, type StatementResult } from './statement-exchange.js';
import type { WireClient } from './wire.js';

const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED';
const nothingAfter: CarriedAfter = { after: [] };

/** The place of a statement relative to a transaction: outside of any, the first one after BEGIN, or a later one. */
export type Standing = 'alone' | 'first' | 'inside';

export class Session {
  readonly client: WireClient;
  readonly #cancel: () => Promise<void>;
  readonly #names: PreparedNames | null;
  readonly #local: string | null;
  readonly #onReadOnly: (() => void) | null;
  readonly #before: Readonly<Record<Standing, readonly string[]>>;
  #startedAt: number | null = null;
  /** false during changes of structure, whose statements have no time limit. */
  watched = true;
  /** How long the last failed statement had been running. */
  failedAfterMs = 0;

  /**
   * `cancel` requests the server to stop the current statement, and resolves when the server has received the request. `local` sets what holds for
   * one transaction only, behind a pooler: there the next transaction runs in another session of the server, which knows no prepared statements.
   * `onReadOnly` is called when the server refuses a write although another host may accept it: the transaction can be run again there.
   */
  constructor(client: WireClient, cancel: () => Promise<void>, local: string | null, onReadOnly: (() => void) | null = null) {
    this.client = client;
    this.#cancel = cancel;
    this.#onReadOnly = onReadOnly;
    this.#local = local;
    this.#names = local === null ? new PreparedNames() : null;
    const settings = local === null ? [] : [local];
    this.#before = { alone: settings, first: [begin, ...settings], inside: [] };
  }

  isStuckSince(before: number): boolean {
    return this.watched && this.#startedAt !== null && this.#startedAt < before;
  }

  /** When the statement that awaits an answer was sent; null if there is none. */
  waitingSince(): number | null {
    return this.#startedAt;
  }

  /** Rejects with the error of the package; the caller translates it, because it knows about the transaction. */
  execute(
    statement: Statement,
    signal?: StopSignal,
    standing: Standing = 'alone',
    after: CarriedAfter = nothingAfter,
  ): Promise<StatementResult> {
    const carried: Carried = { before: this.#before[standing], ...after };
    return signal === undefined ? this.#send(statement, carried) : this.#cancellable(signal, () => this.#send(statement, carried));
  }

  /** `firstRows`: the size of the first batch, where the rows may be large. */
  async *stream(statement: Statement, signal?: StopSignal, firstRows?: number): AsyncGenerator<readonly Row[], void, undefined> {
    const portal = new PortalExchange(statement, this.#local, firstRows);
    let next = portal.next();
    try {
      this.client.query(portal);
      for (;;) {
        const pending = next;
        this.#startedAt = performance.now();
        const batch = signal === undefined ? await pending : await this.#cancellable(signal, () => pending);
        this.#startedAt = null;
        if (batch.length === 0) return;
        yield batch;
        next = portal.next();
      }
    } finally {
      this.#startedAt = performance.now();
      await portal.close();
      this.#startedAt = null;
    }
  }

  #send(statement: Statement, carried: Carried): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      this.#startedAt = performance.now();
      const statements = statement.queued === undefined ? [statement] : [...statement.queued, statement];
      const exchange = new StatementExchange(statements, this.#names, carried, (error, result, failed) => {
        if (error !== null) this.failedAfterMs = performance.now() - (this.#startedAt ?? 0);
        this.#startedAt = null;
        if (error === null) resolve(result);
        else {
          if (isPreparedNameLost(error)) this.#names?.forget(statements[failed]?.text ?? '');
          const failure = this.#onReadOnly === null ? error : this.#followWrites(error, this.#onReadOnly);
          reject(failed < statements.length - 1 ? new QueuedFailure(failed, toDatabaseError(failure)) : failure);
        }
      });
      this.client.query(exchange);
    });
  }

  #followWrites(error: Error, onReadOnly: () => void): Error {
    if (toDatabaseError(error).kind !== 'read-only') return error;
    onReadOnly();
    return new DatabaseError('retry', error);
  }

  async #cancellable<T>(signal: StopSignal, run: () => Promise<T>): Promise<T> {
    let cancelling: Promise<void> | null = null;
    const running = run();
    const onAbort = (): void => {
      cancelling = stopUntilEnded(running, this.#cancel);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await running;
    } catch (error) {
      throw signal.aborted && isInterruption(error) ? new DatabaseError('cancelled', error) : error;
    } finally {
      signal.removeEventListener('abort', onAbort);
      // Wait for cancel requests, or one could hit the next statement on this connection.
      await cancelling;
    }
  }
}

function isInterruption(error: unknown): boolean {
  const { kind } = toDatabaseError(error);
  return kind === 'timeout' || kind === 'cancelled' || kind === 'unavailable';
}
