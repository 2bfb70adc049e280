// One connection with what is known about it: its prepared names, and whether a statement is under way.

import { AheadFailure, DatabaseError } from '../../core/vendor/database-error.js';
import type { Row, Statement } from '../../core/vendor/driver.js';
import type { StopSignal } from '../../core/vendor/stop-signal.js';
import { isPreparedNameLost, toDatabaseError } from './errors.js';
import { PortalExchange } from './portal-exchange.js';
import { PreparedNames } from './prepared-names.js';
import { type Carried, nothingCarried, StatementExchange, type StatementResult } from './statement-exchange.js';
import type { WireClient } from './wire.js';

export class Session {
  readonly client: WireClient;
  readonly #cancel: () => Promise<void>;
  readonly #names = new PreparedNames();
  #startedAt: number | null = null;
  /** false while statements may take as long as they need: changes of structure. */
  watched = true;

  /** `cancel` asks the server to stop what this connection is doing, and resolves when the server has been told. */
  constructor(client: WireClient, cancel: () => Promise<void>) {
    this.client = client;
    this.#cancel = cancel;
  }

  isStuckSince(before: number): boolean {
    return this.watched && this.#startedAt !== null && this.#startedAt < before;
  }

  /** Rejects with the driver's error: whoever knows about the transaction decides what follows from it. */
  execute(statement: Statement, signal?: StopSignal, carried: Carried = nothingCarried): Promise<StatementResult> {
    return signal === undefined ? this.#send(statement, carried) : this.#cancellable(signal, () => this.#send(statement, carried));
  }

  async *stream(statement: Statement, signal?: StopSignal): AsyncGenerator<readonly Row[], void, undefined> {
    const portal = new PortalExchange(statement);
    let next = portal.next();
    try {
      this.client.query(portal);
      for (;;) {
        const pending = next;
        const batch = signal === undefined ? await pending : await this.#cancellable(signal, () => pending);
        if (batch.length === 0) return;
        yield batch;
        next = portal.next();
      }
    } finally {
      await portal.close();
    }
  }

  #send(statement: Statement, carried: Carried): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      this.#startedAt = performance.now();
      const statements = statement.ahead === undefined ? [statement] : [...statement.ahead, statement];
      const exchange = new StatementExchange(statements, this.#names, carried, (error, result, failed) => {
        this.#startedAt = null;
        if (error === null) resolve(result);
        else {
          if (isPreparedNameLost(error)) this.#names.forget(statements[failed]?.text ?? '');
          reject(failed < statements.length - 1 ? new AheadFailure(failed, toDatabaseError(error)) : error);
        }
      });
      this.client.query(exchange);
    });
  }

  async #cancellable<T>(signal: StopSignal, run: () => Promise<T>): Promise<T> {
    let cancelling: Promise<void> | null = null;
    const onAbort = (): void => {
      cancelling = this.#cancel();
    };
    const running = run();
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await running;
    } catch (error) {
      throw signal.aborted && isInterruption(error) ? new DatabaseError('cancelled', error) : error;
    } finally {
      signal.removeEventListener('abort', onAbort);
      // The next user of this connection must not be hit by a request that is still under way.
      await cancelling;
    }
  }
}

function isInterruption(error: unknown): boolean {
  const { kind } = toDatabaseError(error);
  return kind === 'timeout' || kind === 'cancelled' || kind === 'unavailable';
}
