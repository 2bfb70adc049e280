// Measures how long something blocks the event loop. On a busy machine the clock includes the time of other processes, and the processor
// time that of other threads: the least of both, over several tries, is nearest to the work itself. A machine that others share may also
// run slower as a whole: a fixed piece of work, timed between tries that were not quick enough, shows how much, and what is returned is the
// time at full speed.

import { setImmediate as nextTurn } from 'node:timers/promises';

const tries = 20;

/** A text with names that differ, since reading names is what most hostile input costs; and how long reading it takes at full speed. */
const yardstick = JSON.stringify(Array.from({ length: 5_000 }, (_, index) => ({ [`k${index.toString(36)}`]: index, name: `n${index}` })));
const yardstickMs = 8;

/** The time of synchronous work in milliseconds; stops at the first try that is quick enough. */
export function leastTime(work: () => unknown, enoughMs: number): number {
  const seen = new Timings(enoughMs);
  while (seen.goOn()) seen.add(timeOf(work));
  return seen.atFullSpeed();
}

/** The longest turn of work that yields to the event loop. */
export async function leastTurn(work: () => Promise<unknown>, enoughMs: number): Promise<number> {
  const seen = new Timings(enoughMs);
  while (seen.goOn()) seen.add(await longestTurn(work));
  return seen.atFullSpeed();
}

/** The least of several measurements that load can only increase; stops at the first that is low enough. */
export async function leastOf(measure: () => Promise<number>, enough: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < 5 && least >= enough; count += 1) least = Math.min(least, await measure());
  return least;
}

/** How many times longer this machine takes at the moment than at full speed; never less than 1. */
export function slowness(): number {
  const readings = Array.from({ length: tries }, timeOfYardstick);
  return slownessBy(Math.min(...readings));
}

/** The tries so far, each that was too slow with a reading of the yardstick beside it. */
class Timings {
  readonly #enoughMs: number;
  #count = 0;
  #least = Number.POSITIVE_INFINITY;
  #leastOfYardstick = Number.POSITIVE_INFINITY;

  constructor(enoughMs: number) {
    this.#enoughMs = enoughMs;
  }

  goOn(): boolean {
    return this.#count === 0 || (this.#count < tries && this.atFullSpeed() >= this.#enoughMs);
  }

  add(ms: number): void {
    this.#count += 1;
    this.#least = Math.min(this.#least, ms);
    if (this.#least >= this.#enoughMs) this.#leastOfYardstick = Math.min(this.#leastOfYardstick, timeOfYardstick());
  }

  /** What was quick enough on a slow machine is given as it was measured. */
  atFullSpeed(): number {
    return this.#least < this.#enoughMs ? this.#least : this.#least / slownessBy(this.#leastOfYardstick);
  }
}

const timeOfYardstick = (): number => timeOf(() => JSON.parse(yardstick));

const slownessBy = (yardstickTook: number): number => Math.max(1, yardstickTook / yardstickMs);

async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let ended = false;
  const end = (): void => {
    ended = true;
  };
  let longest = 0;
  let stop = startWatch();
  // Work that throws is measured as well.
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
    // Work that throws is measured as well.
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
