// The counters of all processes of one service, kept by the one that started them.

import { type Limiter, type LimitName, type Limits, requestsExceeded } from './limiter.js';

/** Null when the attempt is allowed, else when its window ends. */
export type CountAttempt = (name: LimitName, key: string) => Promise<number | null>;

export function createSharedLimiter(limits: Limits, count: CountAttempt): Limiter {
  return {
    take(name, key) {
      const figures = limits[name];
      return figures === null ? undefined : refuseLate(figures.points, count(name, key));
    },
    close: async () => undefined,
  };
}

async function refuseLate(limit: number, counting: Promise<number | null>): Promise<void> {
  const resetsAt = await counting;
  if (resetsAt !== null) throw requestsExceeded(limit, resetsAt);
}
