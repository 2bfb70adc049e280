// Refusals that could tell something by their time all take the same.

/** Runs `work`; whether it succeeds or fails, a failure is told no sooner than `stallMs` after the start. */
export async function stallFailure<T>(stallMs: number, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  try {
    return await work();
  } catch (error) {
    await waitUntil(started + stallMs);
    throw error;
  }
}

/** The same for work whose success must not be told from its failure. */
export async function stallAlways<T>(stallMs: number, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  try {
    return await work();
  } finally {
    await waitUntil(started + stallMs);
  }
}

const waitUntil = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, time - performance.now())));
