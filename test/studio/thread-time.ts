// The time a page takes on its main thread, which a busy machine does not lengthen as it does the clock.

import type { CDPSession } from 'playwright-core';
import { slowness } from '../harness/least-time.js';

export async function metricsOf(session: CDPSession): Promise<Readonly<Record<string, number>>> {
  const { metrics } = await session.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

/** In seconds of the thread’s own time at full speed. The least of three: the rest is noise. */
export async function leastThreadTime(session: CDPSession, act: () => Promise<void>): Promise<number> {
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    await act();
    times.push((await metricsOf(session))['TaskDuration'] ?? Number.POSITIVE_INFINITY);
  }
  return Math.min(...times) / slowness();
}

/** The same for what happens in a page that stays open. */
export async function leastTimeMore(session: CDPSession, act: () => Promise<void>): Promise<number> {
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const before = (await metricsOf(session))['TaskDuration'] ?? 0;
    await act();
    times.push(((await metricsOf(session))['TaskDuration'] ?? Number.POSITIVE_INFINITY) - before);
  }
  return Math.min(...times) / slowness();
}
