// Connections kept open and handed out one user at a time, last used first. A failed opening fails everybody who waits when there
// is no living connection, so that an absent server is answered at once and not one timeout after the other.

import { DatabaseError } from '../../core/vendor/database-error.js';
import type { PoolState } from '../../core/vendor/driver.js';
import type { StopSignal } from '../../core/vendor/stop-signal.js';

const sweepEveryMs = 1_000;
const maxIdleMs = 60_000;

export interface PoolOptions<C> {
  readonly max: number;
  /** Longest wait for a connection while all of them are at work. */
  readonly maxWaitMs: number;
  readonly open: () => Promise<C>;
  readonly close: (connection: C) => Promise<void>;
  /** A connection at work whose server has fallen silent: it is dropped. */
  readonly isStuck: (connection: C, now: number) => boolean;
}

interface Waiter<C> {
  readonly resolve: (connection: C) => void;
  readonly reject: (error: unknown) => void;
  readonly since: number;
}

interface Idle<C> {
  readonly connection: C;
  readonly since: number;
}

export class ConnectionPool<C> {
  readonly #options: PoolOptions<C>;
  readonly #idle: Idle<C>[] = [];
  readonly #live = new Set<C>();
  readonly #waiting = new Set<Waiter<C>>();
  #opening = 0;
  #emptied: (() => void) | null = null;
  #closed = false;
  readonly #sweeper: NodeJS.Timeout;
  #now = performance.now();

  constructor(options: PoolOptions<C>) {
    this.#options = options;
    this.#sweeper = setInterval(() => this.#sweep(), sweepEveryMs).unref();
  }

  state(): PoolState {
    return { size: this.#live.size, idle: this.#idle.length, waiting: this.#waiting.size };
  }

  /** An idle connection, without waiting. */
  takeIdle(): C | undefined {
    return this.#idle.pop()?.connection;
  }

  take(signal?: StopSignal): Promise<C> {
    const idle = this.takeIdle();
    if (idle !== undefined) return Promise.resolve(idle);
    if (this.#closed) return Promise.reject(new DatabaseError('unavailable', 'the connection pool is closed'));
    return new Promise((resolve, reject) => this.#wait(resolve, reject, signal));
  }

  give(connection: C): void {
    if (!this.#live.has(connection)) return;
    if (this.#closed) {
      this.drop(connection);
      return;
    }
    const waiter = this.#nextWaiter();
    if (waiter === undefined) this.#idle.push({ connection, since: this.#now });
    else waiter.resolve(connection);
  }

  /** Takes a connection out for good: it broke, or its state is unknown. */
  drop(connection: C): void {
    if (!this.#live.delete(connection)) return;
    const position = this.#idle.findIndex((idle) => idle.connection === connection);
    if (position !== -1) this.#idle.splice(position, 1);
    void this.#options.close(connection).finally(() => this.#tellWhenEmpty());
    this.#openForWaiters();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweeper);
    this.#rejectWaiting(new DatabaseError('unavailable', 'the connection pool is closed'));
    const emptied = new Promise<void>((resolve) => {
      this.#emptied = resolve;
    });
    for (const { connection } of [...this.#idle]) this.drop(connection);
    this.#tellWhenEmpty();
    await emptied;
  }

  #wait(resolve: (connection: C) => void, reject: (error: unknown) => void, signal: StopSignal | undefined): void {
    const onAbort = (): void => {
      this.#waiting.delete(waiter);
      reject(new DatabaseError('cancelled', 'cancelled while waiting for a connection'));
    };
    const settle =
      <T>(next: (value: T) => void) =>
      (value: T): void => {
        signal?.removeEventListener('abort', onAbort);
        next(value);
      };
    const waiter: Waiter<C> = { resolve: settle(resolve), reject: settle(reject), since: performance.now() };
    this.#waiting.add(waiter);
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#openForWaiters();
  }

  #openForWaiters(): void {
    while (!this.#closed && this.#opening < this.#waiting.size && this.#live.size + this.#opening < this.#options.max) void this.#open();
  }

  async #open(): Promise<void> {
    this.#opening += 1;
    try {
      const connection = await this.#options.open();
      this.#opening -= 1;
      this.#live.add(connection);
      this.give(connection);
    } catch (error) {
      this.#opening -= 1;
      if (this.#live.size === 0) this.#rejectWaiting(error);
    }
    this.#tellWhenEmpty();
  }

  #nextWaiter(): Waiter<C> | undefined {
    for (const waiter of this.#waiting) {
      this.#waiting.delete(waiter);
      return waiter;
    }
    return undefined;
  }

  #rejectWaiting(error: unknown): void {
    const waiters = [...this.#waiting];
    this.#waiting.clear();
    for (const waiter of waiters) waiter.reject(error);
  }

  #tellWhenEmpty(): void {
    if (this.#closed && this.#live.size === 0 && this.#opening === 0) this.#emptied?.();
  }

  #sweep(): void {
    this.#now = performance.now();
    for (const waiter of this.#waiting) {
      if (this.#now - waiter.since < this.#options.maxWaitMs) break;
      this.#waiting.delete(waiter);
      waiter.reject(new DatabaseError('unavailable', 'no database connection became free in time'));
    }
    for (const connection of [...this.#live]) {
      if (this.#options.isStuck(connection, this.#now)) this.drop(connection);
    }
    for (const { connection, since } of [...this.#idle]) {
      if (this.#now - since > maxIdleMs) this.drop(connection);
    }
  }
}
