// A turn that one holds at a time, or a few; the others wait in the order they came.

import { DatabaseError } from '../../core/vendor/database-error.js';
import type { StopSignal } from '../../core/vendor/stop-signal.js';
import { startTimer } from './timer.js';

export interface Lock {
  /** Resolves with the function that gives the turn back. */
  acquire(signal?: StopSignal): Promise<() => void>;
  waiting(): number;
  held(): number;
}

interface Waiter {
  readonly grant: () => void;
}

export function createLock(places: number, timeoutMs: number): Lock {
  const waiters = new Set<Waiter>();
  let held = 0;

  function release(): void {
    held -= 1;
    const [next] = waiters;
    if (next === undefined) return;
    waiters.delete(next);
    next.grant();
  }

  function take(): () => void {
    held += 1;
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
      return held < places && waiters.size === 0 ? take() : wait(signal);
    },
    waiting: () => waiters.size,
    held: () => held,
  };
}

export const cancelledError = (): DatabaseError => new DatabaseError('cancelled', 'the statement was cancelled');
