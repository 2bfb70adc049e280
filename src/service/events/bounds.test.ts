import { expect, it } from 'vitest';
import { ItemBudget } from './item-budget.js';
import { Turns } from './turns.js';

it('so many act at a time, the others in the order of their coming', async () => {
  const turns = new Turns(2);
  const take = () => turns.take('one user');
  const [begun, ends]: [number[], (() => void)[]] = [[], []];
  const all = [1, 2, 3, 4].map(async (number) => {
    ends.push(await take());
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
  (await take())();
  expect(begun).toEqual([1, 2, 3, 4]);
});

it('users take turns, however many callers of one of them wait', async () => {
  const turns = new Turns(1);
  const begun: string[] = [];
  const act = async (user: string, name: string): Promise<void> => {
    const end = await turns.take(user);
    begun.push(name);
    end();
  };
  const end = await turns.take('ann');
  const all = [act('ann', 'a1'), act('ann', 'a2'), act('ann', 'a3'), act('bob', 'b1'), act('bob', 'b2'), act('cid', 'c1')];
  end();
  await Promise.all(all);
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

it('groups remember no more than the bound of each, of those of one user, and of all together', () => {
  const budget = new ItemBudget({ each: 10, user: 12, together: 15 });
  expect(budget.allows('ann', 0, 10)).toBe(true);
  expect(budget.allows('ann', 0, 11)).toBe(false);
  budget.change('ann', 0, 10);
  expect([budget.allows('ann', 0, 3), budget.allows('ann', 0, 2)]).toEqual([false, true]);
  expect([budget.allows('bob', 0, 6), budget.allows('bob', 0, 5)]).toEqual([false, true]);
  expect(budget.allows('ann', 10, 6)).toBe(true);
  budget.change('ann', 10, 0);
  expect([budget.allows('bob', 0, 6), budget.used]).toEqual([true, 0]);
});
