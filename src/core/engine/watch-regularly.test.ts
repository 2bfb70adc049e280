import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { watchRegularly } from './watch-regularly.js';

it('goes on after a failed look, one at a time, until stopped', async () => {
  let [looks, running, most] = [0, 0, 0];
  const errors: unknown[] = [];
  const look = async (): Promise<void> => {
    looks += 1;
    running += 1;
    most = Math.max(most, running);
    await sleep(5);
    running -= 1;
    if (looks === 1) throw new Error('away');
  };
  const stop = watchRegularly(look, 5, (error) => errors.push(error));
  while (looks < 3) await sleep(5);
  stop();
  const seen = looks;
  await sleep(40);
  expect(looks).toBe(seen);
  expect(most).toBe(1);
  expect(errors).toHaveLength(1);
});
