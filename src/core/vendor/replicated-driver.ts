// The Driver port over a primary and its copies. A statement says by `readAfter` that a copy may answer it; everything else, transactions above
// all, belongs to the primary. What a copy cannot answer for a reason of its own, the primary answers.

import type { Connection, Driver, PoolState, Position, Row, Statement, TransactionOptions } from './driver.js';
import { type Replica, ReplicaSet, type ReplicaSetOptions } from './replica-set.js';
import type { Replicas } from './replication.js';
import type { StopSignal } from './stop-signal.js';

export interface ReplicatedDriver extends Driver {
  readonly replicas: Replicas;
  /** For a transaction that was started on the primary directly: `work` resolves after its commit, whose position is then recorded. */
  noting<T>(work: Promise<T>): Promise<T>;
}

export function openReplicatedDriver(options: ReplicaSetOptions): ReplicatedDriver {
  return new RoutingDriver(options);
}

class RoutingDriver implements ReplicatedDriver {
  readonly #primary: Driver;
  readonly #set: ReplicaSet;
  readonly #drivers: readonly Driver[];

  constructor(options: ReplicaSetOptions) {
    this.#primary = options.primary;
    this.#drivers = [options.primary, ...options.replicas.flatMap(({ driver, watch }) => [driver, watch])];
    this.#set = new ReplicaSet(options);
  }

  get replicas(): Replicas {
    return this.#set;
  }

  rows(statement: Statement, signal?: StopSignal): Promise<readonly Row[]> {
    const { readAfter } = statement;
    return readAfter === undefined ? this.#primary.rows(statement, signal) : this.#read(statement, readAfter, signal);
  }

  run(statement: Statement, signal?: StopSignal): Promise<number> {
    return this.#primary.run(statement, signal);
  }

  async *stream(statement: Statement, signal?: StopSignal): AsyncGenerator<readonly Row[], void, undefined> {
    const { readAfter } = statement;
    const replica = readAfter === undefined ? null : await this.#find(readAfter);
    if (replica !== null) {
      let hasStarted = false;
      try {
        for await (const batch of replica.driver.stream(statement, signal)) {
          hasStarted = true;
          yield batch;
        }
        replica.reads += 1;
        return;
      } catch (error) {
        // Rows that the caller has received cannot be replaced by those of the primary.
        if (!this.#set.suspect(replica, error) || hasStarted) throw error;
      }
    }
    yield* this.#primary.stream(statement, signal);
  }

  transaction<T>(work: (connection: Connection) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.noting(this.#primary.transaction(work, options));
  }

  async noting<T>(work: Promise<T>): Promise<T> {
    const result = await work;
    await this.#set.noteWrite();
    return result;
  }

  version(): Promise<string> {
    return this.#primary.version();
  }

  pool(): PoolState {
    return this.#primary.pool();
  }

  statements(): number {
    return this.#drivers.reduce((sum, driver) => sum + driver.statements(), 0);
  }

  async close(): Promise<void> {
    await Promise.all([this.#primary.close(), this.#set.close()]);
  }

  async #read(statement: Statement, readAfter: Position | null, signal: StopSignal | undefined): Promise<readonly Row[]> {
    const replica = await this.#find(readAfter);
    if (replica === null) return this.#primary.rows(statement, signal);
    try {
      const rows = await replica.driver.rows(statement, signal);
      replica.reads += 1;
      return rows;
    } catch (error) {
      if (!this.#set.suspect(replica, error)) throw error;
    }
    return this.#primary.rows(statement, signal);
  }

  async #find(readAfter: Position | null): Promise<Replica | null> {
    return this.#set.choose(readAfter) ?? (readAfter === null ? null : this.#set.waitFor(readAfter));
  }
}
