// A mutex with a queue: waiters get it in the order of their calls, each until its deadline.

import { DatabaseError } from '../../../core/vendor/database-error.js';
import type { StopSignal } from '../../../core/vendor/stop-signal.js';
import { startTimer } from './timer.js';

export interface Lock {
  /** Resolves with the function that releases the lock. */
  acquire(signal?: StopSignal): Promise<() => void>;
  waiting(): number;
  isHeld(): boolean;
}

interface Waiter {
  readonly grant: () => void;
}

/** `timeoutMs`: the maximal wait; 0 for no limit. */
export function createLock(timeoutMs: number): Lock {
  const waiters = new Set<Waiter>();
  let held = false;

  function release(): void {
    held = false;
    const [next] = waiters;
    if (next === undefined) return;
    waiters.delete(next);
    next.grant();
  }

  function take(): () => void {
    held = true;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      release();
    };
  }

  function wait(signal: StopSignal | undefined): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        grant() {
          stopWaiting();
          resolve(take());
        },
      };
      const giveUp = (error: DatabaseError): void => {
        waiters.delete(waiter);
        stopWaiting();
        reject(error);
      };
      const onAbort = (): void => giveUp(cancelledError());
      const timer = startTimer(() => giveUp(new DatabaseError('timeout', 'the database was busy for too long')), timeoutMs);
      const stopWaiting = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      waiters.add(waiter);
    });
  }

  return {
    async acquire(signal) {
      if (signal?.aborted === true) throw cancelledError();
      return held ? wait(signal) : take();
    },
    waiting: () => waiters.size,
    isHeld: () => held,
  };
}

export const cancelledError = (): DatabaseError => new DatabaseError('cancelled', 'the statement was cancelled');
