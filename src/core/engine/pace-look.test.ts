import { expect, it } from 'vitest';
import { paceLook } from './pace-look.js';

const rest = { least: 1_000, most: 5_000 };

/** Looks that each take `cost`, at the given times; true where it looked. */
async function lookAt(times: readonly number[], cost: number): Promise<readonly boolean[]> {
  let clock = 0;
  const look = paceLook(
    async () => {
      clock += cost;
      return 'seen';
    },
    rest,
    () => clock,
  );
  const looked: boolean[] = [];
  for (const time of times) {
    clock = time;
    looked.push((await look()) === 'seen');
  }
  return looked;
}

it('rests for the least time after a cheap look', async () => {
  expect(await lookAt([0, 500, 1_000, 1_500, 2_010], 1)).toEqual([true, false, false, true, false]);
});

it('rests longer after a dear one, but not for ever', async () => {
  expect(await lookAt([0, 1_500, 2_199, 2_200], 200)).toEqual([true, false, false, true]);
  expect(await lookAt([0, 8_999, 9_000], 4_000)).toEqual([true, false, true]);
});

it('rests after a failed one, too', async () => {
  const look = paceLook(
    () => Promise.reject(new Error('away')),
    rest,
    () => 0,
  );
  await expect(look()).rejects.toThrow('away');
  expect(await look()).toBeNull();
});
