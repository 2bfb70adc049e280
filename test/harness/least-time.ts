// How long something synchronous holds the event loop. On a busy machine any try may be slow, by the clock for what others do and by
// the processor for what other threads collect: the least of both, over several tries, is nearest to the work itself.

const tries = 5;

/** In milliseconds; stops at the first try that is quick enough. */
export function leastTime(work: () => unknown, enoughMs: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < tries && least >= enoughMs; count += 1) least = Math.min(least, timeOf(work));
  return least;
}

function timeOf(work: () => unknown): number {
  const [started, used] = [performance.now(), process.cpuUsage()];
  try {
    work();
  } catch {
    // A refusal takes its time as well.
  }
  const { user, system } = process.cpuUsage(used);
  return Math.min(performance.now() - started, (user + system) / 1000);
}
