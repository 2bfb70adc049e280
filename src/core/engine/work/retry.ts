// When a failed transaction is run again. One deadline covers a write: waiting for a connection, waiting for locks, and trying again.
// The last attempt begins early enough that even its longest wait ends before the deadline.

import { DatabaseError, mayRetry } from '../../vendor/database-error.js';
import type { Deadlines } from '../../vendor/dialect.js';
import type { StopSignal } from '../../vendor/stop-signal.js';

const firstPauseMs = 10;
const longestPauseMs = 500;

/** The least time for retries, even where the waits are shorter or have no limit. */
const leastMs = 1_000;

/**
 * The time until which an attempt may begin. It waits at most `poolMs` for a connection and `lockMs` for a lock, so a write that finds a table
 * locked is answered within twice their sum.
 */
export const retryUntil = ({ poolMs, lockMs }: Pick<Deadlines, 'poolMs' | 'lockMs'>, startedAt: number): number =>
  startedAt + Math.max(leastMs, poolMs + lockMs);

/** Lost a lock to another transaction: by a deadlock, or by waiting too long behind a deadlock that the database has not found yet. */
const lostLock = (error: DatabaseError): boolean => error.kind === 'deadlock' || error.kind === 'locked';

/** Whether another attempt may succeed. */
export const isWorthRetrying = (error: unknown): error is DatabaseError =>
  mayRetry(error) || (error instanceof DatabaseError && lostLock(error));

export interface RetryOptions {
  readonly queue: RetryQueue;
  /** No attempt begins after this time. */
  readonly until: number;
  readonly signal: StopSignal | null;
}

/** Repeats `attempt`, which has failed with `failure`, until it succeeds, fails for good, or time is up; throws the last error. */
export async function retry<T>(failure: unknown, attempt: () => Promise<T>, { queue, until, signal }: RetryOptions): Promise<T> {
  let error = failure;
  for (let tries = 1; isWorthRetrying(error) && signal?.aborted !== true; tries += 1) {
    const pauseMs = pauseBefore(tries);
    if (performance.now() + pauseMs > until) break;
    await sleep(pauseMs);
    try {
      return await (lostLock(error) ? queue.run(attempt, until) : attempt());
    } catch (next) {
      error = next;
    }
  }
  throw error;
}

/** Transactions that lost a lock are retried one after the other; run concurrently, they would collide again. */
export class RetryQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Starts `attempt` when all earlier ones have ended, or at `until` at the latest. */
  run<T>(attempt: () => Promise<T>, until: number): Promise<T> {
    const turn = withTimeout(this.#last, until - performance.now()).then(attempt);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

async function withTimeout(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}

/** Grows with each try, and is random: two transactions that collided do not meet at the same moment again. */
const pauseBefore = (tries: number): number => Math.random() * Math.min(longestPauseMs, firstPauseMs * 2 ** tries);

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
