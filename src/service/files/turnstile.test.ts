import { expect, it } from 'vitest';
import { makeTurnstile } from './turnstile.js';

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

it('lets two through at a time, in order, also when one fails', async () => {
  const turns = makeTurnstile(2, 10);
  let [inside, most] = [0, 0];
  const done: number[] = [];
  const work = (index: number) => async (): Promise<void> => {
    inside += 1;
    most = Math.max(most, inside);
    await later(2);
    inside -= 1;
    if (index === 1) throw new Error('one of them');
    done.push(index);
  };
  const results = await Promise.allSettled([0, 1, 2, 3, 4].map((index) => turns.run(work(index))));
  expect(most).toBe(2);
  expect(done).toEqual([0, 2, 3, 4]);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
});

it('turns away who would wait too long', async () => {
  const turns = makeTurnstile(1, 1);
  const first = turns.run(() => later(5));
  const second = turns.run(() => later(5));
  await expect(turns.run(() => later(5))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await Promise.all([first, second]);
  await turns.run(() => later(0));
});
