import { expect, it } from 'vitest';
import { takeTurns } from './take-turns.js';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('starts few requests in a turn, the others in the next turns, in their order', async () => {
  const started: number[] = [];
  const start = takeTurns((request: number) => started.push(request));
  for (let request = 0; request < 20; request += 1) start(request);
  expect(started).toHaveLength(8);
  await nextTurn();
  start(20);
  expect(started).toHaveLength(8);
  while (started.length < 21) await nextTurn();
  expect(started).toEqual(Array.from({ length: 21 }, (_, request) => request));
  start(21);
  expect(started.at(-1)).toBe(21);
});

it('keeps a bounded number of requests waiting', async () => {
  let started = 0;
  const start = takeTurns(() => {
    started += 1;
  });
  for (let request = 0; request < 5_000; request += 1) start();
  expect(5_000 - started).toBe(1_000);
  while (started < 5_000) await nextTurn();
  await nextTurn();
  expect(started).toBe(5_000);
});
