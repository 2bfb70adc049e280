// Watches the copies of a database and chooses one for each read. Several times a second it asks each copy, over a separate connection,
// which position it has applied, and the primary for its own. The lag of a copy follows from these positions, without comparing the clocks
// of servers.

import { repeatEvery } from '../util/repeat.js';
import { DatabaseError, isPassing } from './database-error.js';
import type { Driver, Position } from './driver.js';
import type { ProveCopy, ReplicaState, Replicas, Replication, Written } from './replication.js';

export interface ReplicaSource {
  readonly name: string;
  readonly driver: Driver;
  /** The connection for these checks; separate from `driver`, whose connections may all be busy. */
  readonly watch: Driver;
}

export interface ReplicaSetOptions {
  readonly primary: Driver;
  readonly replicas: readonly ReplicaSource[];
  readonly replication: Replication;
  readonly waitMs: number;
  readonly maxLagMs: number;
}

const watchEveryMs = 250;
/** A copy that has not answered a check for this long is not used. */
const silentMs = 600;
/** The interval between checks of a copy while reads wait for it. */
const askAgainMs = 4;
/** How long the start waits for the service's mark to arrive at a copy. */
const patienceMs = 5_000;
const maxSamples = 128;

interface Sample {
  readonly position: Position;
  readonly at: number;
}

export class Replica {
  readonly name: string;
  readonly driver: Driver;
  readonly watch: Driver;
  applied: Position | null = null;
  /** When `applied` changed last. */
  movedAt = 0;
  /** A read has waited for this copy until its deadline, and the copy has not advanced since: reads do not wait for it. */
  stalled = false;
  /** Whether the service has found its mark in the copy since the copy was last unreachable. */
  proven = false;
  /** Why the last check failed; null: it succeeded. */
  fault: string | null = 'has not answered yet';
  /** When the unanswered check was sent; null: none is under way. */
  askedAt: number | null = null;
  reads = 0;

  constructor({ name, driver, watch }: ReplicaSource) {
    this.name = name;
    this.driver = driver;
    this.watch = watch;
  }
}

interface Waiter {
  readonly position: Position;
  readonly resolve: (replica: Replica | null) => void;
}

export class ReplicaSet implements Replicas {
  readonly #options: ReplicaSetOptions;
  readonly #replicas: readonly Replica[];
  readonly #waiters = new Set<Waiter>();
  /** Positions of the primary with the times at which they were read, oldest first. */
  #samples: Sample[] = [];
  #written: Written = null;
  #prove: ProveCopy | null = null;
  #stop: (() => void) | null = null;
  #turn = 0;
  #listener: (state: ReplicaState) => void = () => undefined;
  /** The copies that were in use after the last check. */
  #used: ReadonlySet<string> = new Set();
  readonly reaches: Replicas['reaches'];
  readonly #readPosition: () => Promise<Position>;

  constructor(options: ReplicaSetOptions) {
    this.#options = options;
    this.reaches = options.replication.reaches;
    this.#replicas = options.replicas.map((source) => new Replica(source));
    this.#readPosition = shareNext(() => options.replication.position(options.primary));
  }

  async begin(prove: ProveCopy): Promise<void> {
    this.#prove = prove;
    await this.#sample().catch((error: unknown) => {
      if (!(error instanceof DatabaseError)) throw error;
    });
    const faults = await Promise.all(this.#replicas.map((replica) => this.#admit(replica)));
    const refused = faults.find((fault) => fault !== null);
    if (refused !== undefined && refused !== null) throw new Error(`DATABASE_READ_URLS: ${refused}`);
    this.#stop ??= repeatEvery(
      watchEveryMs,
      async () => this.#checkAll(),
      () => undefined,
    );
  }

  written(): Written {
    return this.#written;
  }

  states(): readonly ReplicaState[] {
    const now = performance.now();
    return this.#replicas.map((replica) => ({
      name: replica.name,
      unused: this.#whyUnused(replica, now),
      lagMs: replica.applied === null || replica.fault !== null ? null : this.#lagOf(replica, now),
      reads: replica.reads,
    }));
  }

  onChange(listener: (state: ReplicaState) => void): void {
    this.#listener = listener;
  }

  /** Call it after a commit; resolves when `written` is behind that commit. Never rejects: a write that is committed is a success. */
  async noteWrite(): Promise<void> {
    try {
      this.#written = await this.#readPosition();
    } catch {
      this.#written = 'unknown';
    }
  }

  /** A copy that has everything up to `after`, the least busy one; null: there is none at the moment. */
  choose(after: Position | null): Replica | null {
    const now = performance.now();
    let chosen: Replica | null = null;
    let least = Number.POSITIVE_INFINITY;
    this.#turn += 1;
    for (let step = 0; step < this.#replicas.length; step += 1) {
      const replica = this.#replicas[(this.#turn + step) % this.#replicas.length];
      if (replica === undefined || this.#whyUnused(replica, now) !== null || !this.#has(replica, after)) continue;
      const { size, idle, waiting } = replica.driver.pool();
      if (size - idle + waiting >= least) continue;
      least = size - idle + waiting;
      chosen = replica;
    }
    return chosen;
  }

  /** Waits until a copy has everything up to `after`; null when none had it in time. */
  waitFor(after: Position): Promise<Replica | null> {
    const now = performance.now();
    const { waitMs } = this.#options;
    const moving = this.#replicas.filter((replica) => !replica.stalled && this.#whyUnused(replica, now) === null);
    if (moving.length === 0 || waitMs === 0) return Promise.resolve(null);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#findStalled();
        waiter.resolve(null);
      }, waitMs);
      const waiter: Waiter = {
        position: after,
        resolve: (replica) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          resolve(replica);
        },
      };
      this.#waiters.add(waiter);
      for (const replica of moving) void this.#check(replica);
    });
  }

  /** Call it when a read on the copy has failed. Returns whether the primary may answer the read instead, because the copy may be the cause. */
  suspect(replica: Replica, error: unknown): boolean {
    if (!(error instanceof DatabaseError)) return false;
    // The copy may be unreachable, or its pool may be exhausted; a check tells which.
    if (error.kind === 'unavailable') void this.#check(replica);
    return isOfTheCopy.has(error.kind);
  }

  async close(): Promise<void> {
    this.#stop?.();
    for (const waiter of [...this.#waiters]) waiter.resolve(null);
    await Promise.all(this.#replicas.flatMap(({ driver, watch }) => [driver.close(), watch.close()]));
  }

  #has({ applied }: Replica, after: Position | null): boolean {
    return applied !== null && (after === null || this.reaches(applied, after));
  }

  #whyUnused(replica: Replica, now: number): string | null {
    if (replica.fault !== null) return replica.fault;
    if (replica.askedAt !== null && now - replica.askedAt > silentMs) return 'does not answer';
    if (!replica.proven) return 'has not been found to be a copy of the database yet';
    if (replica.applied === null) return 'follows no primary';
    const lag = this.#lagOf(replica, now);
    return lag > this.#options.maxLagMs ? `is ${Math.round(lag / 1000)} s behind` : null;
  }

  /** The time since the primary was first seen at a position that the copy has not reached. */
  #lagOf({ applied }: Replica, now: number): number {
    if (applied === null) return 0;
    let [from, until] = [0, this.#samples.length];
    while (from < until) {
      const middle = (from + until) >>> 1;
      if (this.reaches(applied, this.#samples[middle]?.position ?? '')) from = middle + 1;
      else until = middle;
    }
    const missed = this.#samples[from];
    return missed === undefined ? 0 : now - missed.at;
  }

  #checkAll(): void {
    void this.#sample().catch(() => undefined);
    for (const replica of this.#replicas) void this.#check(replica);
    this.#reportChanges();
  }

  #reportChanges(): void {
    const states = this.states();
    const before = this.#used;
    this.#used = new Set(states.flatMap(({ name, unused }) => (unused === null ? [name] : [])));
    for (const state of states) if (before.has(state.name) !== this.#used.has(state.name)) this.#listener(state);
  }

  async #sample(): Promise<void> {
    const at = performance.now();
    const position = await this.#readPosition();
    if (this.#samples.at(-1)?.position === position) return;
    this.#samples.push({ position, at });
    // Thins out the older half: a large lag need not be exact.
    if (this.#samples.length > maxSamples)
      this.#samples = this.#samples.filter((_sample, index) => index % 2 === 0 || index > maxSamples / 2);
  }

  async #check(replica: Replica): Promise<void> {
    if (replica.askedAt !== null) return;
    replica.askedAt = performance.now();
    try {
      await this.#observe(replica);
      replica.fault = replica.proven ? null : await this.#findFault(replica);
    } catch (error) {
      replica.fault = `cannot be read: ${textOf(error)}`;
      replica.proven = false;
    }
    replica.askedAt = null;
    this.#serve(replica);
  }

  async #observe(replica: Replica): Promise<void> {
    const { applied } = await this.#options.replication.observe(replica.watch);
    if (applied === replica.applied) return;
    replica.applied = applied;
    replica.movedAt = performance.now();
    replica.stalled = false;
  }

  async #findFault(replica: Replica): Promise<string | null> {
    const fault = this.#prove === null ? 'has not been looked at yet' : await this.#prove(replica.watch);
    replica.proven = fault === null;
    return fault;
  }

  /** Resolves to why a copy that answers cannot be used; null: it can, or it is unreachable at the moment. */
  async #admit(replica: Replica): Promise<string | null> {
    for (const startedAt = performance.now(); ; ) {
      const failure = await this.#observe(replica).then(
        () => null,
        (error: unknown) => error,
      );
      const fault = await (failure === null ? this.#findFault(replica) : Promise.reject(failure)).catch((error: unknown) => {
        // Unreachable at the moment, which is no reason to refuse it.
        if (error instanceof DatabaseError && isPassing(error)) return null;
        return `cannot be read: ${textOf(error)}`;
      });
      replica.fault = fault ?? (replica.proven ? null : 'cannot be reached');
      if (fault === null) return null;
      if (performance.now() - startedAt > patienceMs) return `${replica.name} ${fault}`;
      await pause(watchEveryMs);
    }
  }

  #serve(replica: Replica): void {
    const usable = this.#whyUnused(replica, performance.now()) === null;
    if (usable) for (const waiter of [...this.#waiters]) if (this.#has(replica, waiter.position)) waiter.resolve(replica);
    if (this.#waiters.size > 0 && usable && !replica.stalled) setTimeout(() => void this.#check(replica), askAgainMs).unref();
  }

  #findStalled(): void {
    const before = performance.now() - this.#options.waitMs;
    for (const replica of this.#replicas) if (replica.movedAt <= before) replica.stalled = true;
  }
}

/** Failures that the copy alone may cause: it is unreachable, its recovery conflicts with the read, or it lacks a new column or a right. */
const isOfTheCopy: ReadonlySet<string> = new Set([
  'unavailable',
  'retry',
  'deadlock',
  'locked',
  'read-only',
  'stale-schema',
  'denied',
  'full',
  'other',
]);

/** Calls during a run share one run after it, because the current run may have started before the change they ask about. */
function shareNext<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | null = null;
  let next: Promise<T> | null = null;
  const start = (): Promise<T> => {
    const started = run();
    running = started.then(
      () => undefined,
      () => undefined,
    );
    void running.then(() => {
      running = null;
    });
    return started;
  };
  return () => {
    if (running === null) return start();
    next ??= running.then(() => {
      next = null;
      return start();
    });
    return next;
  };
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
