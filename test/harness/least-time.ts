// How long something holds the event loop. On a busy machine any try may be slow, by the clock for what others do and by the processor
// for what other threads collect: the least of both, over several tries, is nearest to the work itself.

import { setImmediate as nextTurn } from 'node:timers/promises';

const tries = 5;

/** Of something synchronous, in milliseconds; stops at the first try that is quick enough. */
export function leastTime(work: () => unknown, enoughMs: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < tries && least >= enoughMs; count += 1) least = Math.min(least, timeOf(work));
  return least;
}

/** Of something that lets others have their turns: its longest turn. */
export async function leastTurn(work: () => Promise<unknown>, enoughMs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < tries && least >= enoughMs; count += 1) least = Math.min(least, await longestTurn(work));
  return least;
}

async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let ended = false;
  const end = (): void => {
    ended = true;
  };
  let longest = 0;
  let stop = startWatch();
  // A refusal takes its time as well.
  work().then(end, end);
  for (;;) {
    await nextTurn();
    longest = Math.max(longest, stop());
    if (ended) return longest;
    stop = startWatch();
  }
}

function timeOf(work: () => unknown): number {
  const stop = startWatch();
  try {
    work();
  } catch {
    // A refusal takes its time as well.
  }
  return stop();
}

function startWatch(): () => number {
  const [started, used] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(used);
    return Math.min(performance.now() - started, (user + system) / 1000);
  };
}
