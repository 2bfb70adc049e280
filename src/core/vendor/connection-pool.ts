// A pool of open connections, each with one user at a time; the one used last is handed out first. A connection is idle, busy or gone: it leaves
// the pool before it is closed, so a closing or lost connection is never handed out, and its place is free at once. A waiting request gets a
// connection, is rejected at a deadline, or leaves when its signal aborts.

import { DatabaseError } from './database-error.js';
import type { PoolState, Statement } from './driver.js';
import type { StopSignal } from './stop-signal.js';

const sweepEveryMs = 250;

/** The wait for an answer is split into turns: while this thread itself is blocked, at most one of them passes unnoticed. */
const probeTurns = 4;

/** The share of the places not taken by others that the users of one table may have: the rest stays free for other tables. */
const shareOfOneTable = 0.75;

export interface PoolOptions<C> {
  readonly max: number;
  /** Idle connections beyond this number are closed when they are given back. */
  readonly maxIdle: number;
  readonly maxIdleMs: number;
  /** Longest wait for a connection; 0: no limit. */
  readonly maxWaitMs: number;
  readonly open: () => Promise<C>;
  readonly close: (connection: C) => Promise<unknown>;
  /** Whether a busy connection will never answer; it is dropped then. */
  readonly isStuck: (connection: C, now: number) => boolean;
  /** Absent: the server is not probed. */
  readonly silence?: SilenceOptions<C>;
  /** Whether a connection that is given back may be used again. Absent: always. */
  readonly keeps?: (connection: C) => boolean;
}

/** A statement may take long, but a living server still answers another connection. If it does not, all connections that wait for it are dropped. */
export interface SilenceOptions<C> {
  readonly silenceMs: number;
  /** Since when the connection waits for the server; null: it waits for nothing. */
  readonly waitingSince: (connection: C) => number | null;
  /** Settles when the server of a waiting connection has answered, be it with an error. */
  readonly probe: (waiting: C) => Promise<unknown>;
}

/** The tables a user is going to touch; a lock on one of them may keep the user waiting. */
export type Tables = readonly string[];

export const noTables: Tables = [];

/** For a change of structure, which may wait for any lock: as the users of one table, such changes never take all connections. */
export const structureTables: Tables = ['(structure)'];

/** For a transaction that begins with this statement: the table it writes first. Those of its history and its answer are used by every write. */
export const firstTableOf = ({ tables = noTables, queued }: Statement): Tables => (queued?.[0]?.tables ?? tables).slice(0, 1);

interface Waiter<C> {
  readonly tables: Tables;
  readonly resolve: (connection: C) => void;
  readonly reject: (error: DatabaseError) => void;
}

interface Idle<C> {
  readonly connection: C;
  readonly since: number;
}

export class ConnectionPool<C> {
  readonly #options: PoolOptions<C>;
  readonly #idle: Idle<C>[] = [];
  readonly #busy = new Map<C, Tables>();
  /** The number of busy connections by table. */
  readonly #users = new Map<string, number>();
  /** In the order of arrival. */
  readonly #waiting = new Set<Waiter<C>>();
  readonly #sweeper: NodeJS.Timeout;
  #opening = 0;
  #emptied: (() => void) | null = null;
  #closed = false;
  #now = performance.now();
  #probing = false;
  #heardAt = 0;

  constructor(options: PoolOptions<C>) {
    this.#options = options;
    this.#sweeper = setInterval(() => this.#sweep(), sweepEveryMs).unref();
  }

  state(): PoolState {
    return { size: this.#idle.length + this.#busy.size, idle: this.#idle.length, waiting: this.#waiting.size };
  }

  /** An idle connection, without waiting. */
  takeIdle(tables: Tables): C | undefined {
    if (this.#idle.length === 0 || !this.#admits(tables)) return undefined;
    const connection = this.#idle.pop()?.connection;
    if (connection !== undefined) this.#addBusy(connection, tables);
    return connection;
  }

  take(tables: Tables, signal?: StopSignal): Promise<C> {
    if (signal?.aborted === true) return Promise.reject(cancelled());
    const idle = this.takeIdle(tables);
    if (idle !== undefined) return Promise.resolve(idle);
    if (this.#closed) return Promise.reject(closed());
    return new Promise((resolve, reject) => this.#wait(tables, resolve, reject, signal));
  }

  /** Returns a connection to the pool. Does nothing for one that was dropped meanwhile. */
  give(connection: C): void {
    if (!this.#busy.has(connection)) return;
    if (this.#closed || this.#options.keeps?.(connection) === false) {
      this.drop(connection);
      return;
    }
    this.#removeBusy(connection);
    this.#addIdle(connection);
  }

  /** Removes a connection for good: it broke, or its state is unknown. */
  drop(connection: C): void {
    const position = this.#idle.findIndex((idle) => idle.connection === connection);
    if (position !== -1) this.#idle.splice(position, 1);
    if (!this.#removeBusy(connection) && position === -1) return;
    this.#end(connection);
    this.#resolveWhenEmpty();
    if (!this.#closed) this.#serve();
  }

  /** For use after a connection broke: most likely the server closed all of them, and the next user should not run into that. */
  dropIdle(): void {
    for (const { connection } of [...this.#idle]) this.drop(connection);
  }

  /** Rejects waiting requests, closes idle connections, and resolves when the busy ones have been given back. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#sweeper);
    for (const waiter of [...this.#waiting]) waiter.reject(closed());
    const emptied = new Promise<void>((resolve) => {
      this.#emptied = resolve;
    });
    for (const { connection } of this.#idle.splice(0)) this.#end(connection);
    this.#resolveWhenEmpty();
    await emptied;
  }

  #wait(tables: Tables, resolve: (connection: C) => void, reject: (error: DatabaseError) => void, signal: StopSignal | undefined): void {
    const leave = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      this.#waiting.delete(waiter);
    };
    const waiter: Waiter<C> = {
      tables,
      resolve(connection) {
        leave();
        resolve(connection);
      },
      reject(error) {
        leave();
        reject(error);
      },
    };
    const onAbort = (): void => waiter.reject(cancelled());
    const { maxWaitMs } = this.#options;
    const timer = maxWaitMs > 0 ? setTimeout(() => waiter.reject(tooLate()), maxWaitMs) : undefined;
    this.#waiting.add(waiter);
    signal?.addEventListener('abort', onAbort, { once: true });
    // For those who already wait nothing has changed.
    if (this.#admits(tables)) this.#serve();
  }

  /** Hands idle connections to waiting requests that are admitted, and opens the missing ones. */
  #serve(): void {
    let served = 0;
    for (const waiter of this.#waiting) {
      if (this.#free() <= 0) return;
      if (!this.#admits(waiter.tables)) continue;
      const connection = this.takeIdle(waiter.tables);
      if (connection !== undefined) waiter.resolve(connection);
      else {
        served += 1;
        if (served > this.#opening) void this.#open();
        if (this.#idle.length + this.#busy.size + this.#opening >= this.#options.max) return;
      }
    }
  }

  /** Places without a user. */
  #free(): number {
    return this.#options.max - this.#busy.size;
  }

  /**
   * Whether another user of these tables may have a place. Users of a locked table hold their connections while they wait; if they held all of
   * them, no other table could be read until they give up.
   */
  #admits(tables: Tables): boolean {
    const free = this.#free();
    if (free * shareOfOneTable >= (1 - shareOfOneTable) * this.#busy.size + 1) return true;
    for (const table of tables) {
      const users = this.#users.get(table);
      if (users !== undefined && users + 1 > shareOfOneTable * (users + free)) return false;
    }
    return true;
  }

  #addBusy(connection: C, tables: Tables): void {
    this.#busy.set(connection, tables);
    for (const table of tables) this.#users.set(table, (this.#users.get(table) ?? 0) + 1);
  }

  /** Whether it was busy. */
  #removeBusy(connection: C): boolean {
    const tables = this.#busy.get(connection);
    if (tables === undefined) return false;
    this.#busy.delete(connection);
    for (const table of tables) {
      const users = (this.#users.get(table) ?? 0) - 1;
      if (users > 0) this.#users.set(table, users);
      else this.#users.delete(table);
    }
    return true;
  }

  async #open(): Promise<void> {
    this.#opening += 1;
    try {
      const connection = await this.#options.open();
      this.#opening -= 1;
      if (this.#closed) this.#end(connection);
      else this.#addIdle(connection);
    } catch (error) {
      this.#opening -= 1;
      this.#refuse(error);
    }
    this.#resolveWhenEmpty();
  }

  /** If the server cannot be reached and no connection is left, all waiting requests fail at once. Otherwise they wait for a connection in use. */
  #refuse(error: unknown): void {
    if (this.#busy.size > 0 || this.#idle.length > 0) return;
    const refusal = error instanceof DatabaseError ? error : new DatabaseError('unavailable', error);
    for (const waiter of [...this.#waiting]) waiter.reject(refusal);
  }

  #addIdle(connection: C): void {
    this.#idle.push({ connection, since: this.#now });
    this.#serve();
    for (const { connection: oldest } of this.#idle.splice(0, Math.max(0, this.#idle.length - this.#options.maxIdle))) this.#end(oldest);
  }

  /** Does not wait for the close: a silent server never acknowledges it. */
  #end(connection: C): void {
    this.#options.close(connection).catch(() => undefined);
  }

  #resolveWhenEmpty(): void {
    if (this.#closed && this.#busy.size === 0 && this.#opening === 0) this.#emptied?.();
  }

  #sweep(): void {
    this.#now = performance.now();
    for (const connection of [...this.#busy.keys()]) if (this.#options.isStuck(connection, this.#now)) this.drop(connection);
    for (const { connection, since } of [...this.#idle]) if (this.#now - since > this.#options.maxIdleMs) this.drop(connection);
    const { silence } = this.#options;
    const quiet = silence === undefined || this.#probing ? undefined : this.#findQuiet(silence);
    if (silence !== undefined && quiet !== undefined) void this.#probe(quiet, silence);
  }

  /** The server is probed after half of the time, and has to answer within the other half. */
  #findQuiet({ silenceMs, waitingSince }: SilenceOptions<C>): C | undefined {
    const before = this.#now - silenceMs / 2;
    if (this.#heardAt > before) return undefined;
    for (const connection of this.#busy.keys()) if ((waitingSince(connection) ?? this.#now) < before) return connection;
    return undefined;
  }

  async #probe(quiet: C, { silenceMs, waitingSince, probe }: SilenceOptions<C>): Promise<void> {
    this.#probing = true;
    const asked = performance.now();
    let alive = false;
    const sign = (): void => {
      alive = true;
      this.#heardAt = performance.now();
    };
    probe(quiet).then(sign, sign);
    for (let turn = 0; turn < probeTurns && !alive; turn += 1) await sleep(silenceMs / 2 / probeTurns);
    this.#probing = false;
    if (alive) return;
    for (const connection of [...this.#busy.keys()]) if ((waitingSince(connection) ?? asked) < asked) this.drop(connection);
    // Idle connections lead to the same server.
    this.dropIdle();
  }
}

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

const cancelled = (): DatabaseError => new DatabaseError('cancelled', 'cancelled while waiting for a connection');
const closed = (): DatabaseError => new DatabaseError('unavailable', 'the connection pool is closed');
const tooLate = (): DatabaseError => new DatabaseError('unavailable', 'no database connection became free in time');
