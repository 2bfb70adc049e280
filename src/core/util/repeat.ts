// Work that is repeated in the background: checks for changes, sweeps.

/** Runs `act` every so often, one run at a time, until the returned function is called. A failed run is reported and the next one follows. */
export function repeatEvery(everyMs: number, act: () => Promise<void>, onError: (error: unknown) => void): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout | null = null;
  const wait = (): void => {
    if (stopped) return;
    timer = setTimeout(() => void act().catch(report).finally(wait), everyMs);
    timer.unref();
  };
  const report = (error: unknown): void => {
    if (!stopped) onError(error);
  };
  wait();
  return () => {
    stopped = true;
    if (timer !== null) clearTimeout(timer);
  };
}

const restPerCost = 10;

/**
 * Throttles an expensive check: after each run, wait ten times as long as it took, within the bounds; after a failed one, the least time. Calls
 * before that resolve to null without running it.
 */
export function throttleByCost<T>(
  check: () => Promise<T>,
  rest: { readonly least: number; readonly most: number },
  now: () => number = () => performance.now(),
): () => Promise<T | null> {
  let dueAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const started = now();
    if (started < dueAt) return null;
    let pause = rest.least;
    try {
      const seen = await check();
      pause = Math.min(rest.most, Math.max(rest.least, (now() - started) * restPerCost));
      return seen;
    } finally {
      dueAt = now() + pause;
    }
  };
}
