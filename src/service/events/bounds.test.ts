import { expect, it } from 'vitest';
import { ItemBudget } from './item-budget.js';
import { Turns } from './turns.js';

it('so many act at a time, the others in the order of their coming', async () => {
  const turns = new Turns(2);
  const [begun, ends]: [number[], (() => void)[]] = [[], []];
  const all = [1, 2, 3, 4].map(async (number) => {
    ends.push(await turns.take());
    begun.push(number);
  });
  await Promise.all(all.slice(0, 2));
  expect(begun).toEqual([1, 2]);
  ends[1]?.();
  await all[2];
  expect(begun).toEqual([1, 2, 3]);
  ends[0]?.();
  await all[3];
  ends[2]?.();
  ends[3]?.();
  (await turns.take())();
  expect(begun).toEqual([1, 2, 3, 4]);
});

it('groups remember no more than the bound of each, and of all together', () => {
  const budget = new ItemBudget({ each: 10, together: 15 });
  expect(budget.allows(0, 10)).toBe(true);
  expect(budget.allows(0, 11)).toBe(false);
  budget.change(0, 10);
  expect(budget.allows(0, 6)).toBe(false);
  expect(budget.allows(10, 6)).toBe(true);
  budget.change(10, 0);
  expect([budget.allows(0, 6), budget.used]).toEqual([true, 0]);
});
