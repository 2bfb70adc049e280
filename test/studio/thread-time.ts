// The time a page takes on its main thread, which a busy machine does not lengthen as it does the clock.

import type { CDPSession } from 'playwright-core';
import { slowness } from '../harness/least-time.js';

const tries = 10;

export async function metricsOf(session: CDPSession): Promise<Readonly<Record<string, number>>> {
  const { metrics } = await session.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

/** In seconds of the thread’s own time at full speed, from the start of a page. The least of several tries; stops at the first quick enough. */
export const leastThreadTime = (session: CDPSession, enough: number, act: () => Promise<void>): Promise<number> =>
  leastOfTries(session, enough, async () => {
    await act();
    return taskTime(session);
  });

/** The same for what happens in a page that stays open; what leads there each time does not count. */
export const leastTimeMore = (
  session: CDPSession,
  enough: number,
  act: () => Promise<void>,
  prepare: () => Promise<void> = async () => undefined,
): Promise<number> =>
  leastOfTries(session, enough, async () => {
    await prepare();
    const before = await taskTime(session);
    await act();
    return (await taskTime(session)) - before;
  });

async function leastOfTries(session: CDPSession, enough: number, measure: () => Promise<number>): Promise<number> {
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  let [time, slow] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let count = 0; count < tries && !(time / slow < enough); count += 1) {
    time = Math.min(time, await measure());
    slow = Math.min(slow, slowness());
  }
  return time / slow;
}

async function taskTime(session: CDPSession): Promise<number> {
  const { TaskDuration: time } = await metricsOf(session);
  if (time === undefined) throw new Error('the browser does not tell the time of its tasks');
  return time;
}
