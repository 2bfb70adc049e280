// Answers that take a minimum time, so that their duration does not reveal what was found.

/** Runs `work`. A failure is passed on no sooner than `ms` after the start. */
export async function delayFailure<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  try {
    return await work();
  } catch (error) {
    await waitUntil(started + ms);
    throw error;
  }
}

/** Runs `work`. Success and failure are passed on no sooner than `ms` after the start. */
export async function delayAnswer<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  try {
    return await work();
  } finally {
    await waitUntil(started + ms);
  }
}

/** `time` as of `performance.now()`. */
export const waitUntil = (time: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, time - performance.now())));
