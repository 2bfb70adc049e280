// Tries again what failed for a reason that passes: soon at first, then every two seconds.

import { setTimeout as sleep } from 'node:timers/promises';

export interface RetryOptions {
  readonly isTemporary: (error: unknown) => boolean;
  readonly signal: AbortSignal;
  /** Null: one try only. */
  readonly onRetry: ((error: unknown) => void) | null;
}

const longestPauseMs = 2000;

export async function retryUntil<T>(work: () => Promise<T>, { isTemporary, signal, onRetry }: RetryOptions): Promise<T> {
  for (let pause = 250; ; pause = Math.min(pause * 2, longestPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (onRetry === null || !isTemporary(error)) throw error;
      onRetry(error);
    }
    await sleep(pause, undefined, { signal });
  }
}
