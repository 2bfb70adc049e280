import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { repeatEvery, throttleByCost } from './repeat.js';

it('repeatEvery continues after a failed run, one at a time, until stopped', async () => {
  let [runs, running, most] = [0, 0, 0];
  const errors: unknown[] = [];
  const act = async (): Promise<void> => {
    runs += 1;
    running += 1;
    most = Math.max(most, running);
    await sleep(5);
    running -= 1;
    if (runs === 1) throw new Error('away');
  };
  const stop = repeatEvery(5, act, (error) => errors.push(error));
  while (runs < 3) await sleep(5);
  stop();
  const seen = runs;
  await sleep(40);
  expect(runs).toBe(seen);
  expect(most).toBe(1);
  expect(errors).toHaveLength(1);
});

describe('throttleByCost', () => {
  const rest = { least: 1_000, most: 5_000 };

  /** Checks that each take `cost`, at the given times; true where the check ran. */
  async function runAt(times: readonly number[], cost: number): Promise<readonly boolean[]> {
    let clock = 0;
    const check = throttleByCost(
      async () => {
        clock += cost;
        return 'seen';
      },
      rest,
      () => clock,
    );
    const ran: boolean[] = [];
    for (const time of times) {
      clock = time;
      ran.push((await check()) === 'seen');
    }
    return ran;
  }

  it('waits for the least time after a cheap run', async () => {
    expect(await runAt([0, 500, 1_000, 1_500, 2_010], 1)).toEqual([true, false, false, true, false]);
  });

  it('waits longer after an expensive one, up to the bound', async () => {
    expect(await runAt([0, 1_500, 2_199, 2_200], 200)).toEqual([true, false, false, true]);
    expect(await runAt([0, 8_999, 9_000], 4_000)).toEqual([true, false, true]);
  });

  it('waits after a failed run too', async () => {
    const check = throttleByCost(
      () => Promise.reject(new Error('away')),
      rest,
      () => 0,
    );
    await expect(check()).rejects.toThrow('away');
    expect(await check()).toBeNull();
  });
});
