import { describe, expect, it } from 'vitest';
import type { ChangeAction } from '../../core/engine/work/changes.js';
import { ItemBudget } from './item-budget.js';
import type { TouchedItems } from './pending-changes.js';
import { RememberedList } from './remembered-list.js';

const item = (key: number, text = 'a') => ({ key, text, rest: '' });
const touch = (action: ChangeAction, ...keys: readonly number[]): TouchedItems =>
  new Map(keys.map((key) => [String(key), { key, action, shows: true }]));
const touchHidden = (shows: false | null, key: number): TouchedItems => new Map([[String(key), { key, action: 'update', shows }]]);
async function* partsOf(...keys: readonly number[]) {
  for (const key of keys) yield [item(key)];
}
const listOf = async (count: number, { each = 4, together = 8, isWhole = false } = {}) => {
  const budget = new ItemBudget({ each, user: together, together });
  const list = new RememberedList(budget, 'a user', isWhole);
  await list.load(partsOf(...Array.from({ length: count }, (_, index) => index + 1)));
  return { list, budget };
};
const nothing = { create: [], update: [], delete: [] };

describe('a list that is remembered', () => {
  it('completely: knows whatever was visible', async () => {
    const { list, budget } = await listOf(4);
    expect([list.scope, budget.used]).toEqual(['all', 4]);
    expect(list.compare(touch('update', 4, 9), [4, 9], [])).toEqual({ ...nothing, delete: [4] });
    list.close();
    list.take({ ...nothing, create: [item(5)] });
    expect(budget.used).toBe(0);
  });

  it('as far as it was shown: deletes only that, and is silent about the rest', async () => {
    const { list, budget } = await listOf(5);
    expect([list.scope, list.all, budget.used]).toEqual(['shown', null, 0]);
    list.show([item(1), item(2)], false);
    expect(list.compare(touch('update', 1, 2, 4, 9), [1, 2, 4, 9], [item(1)])).toEqual({ ...nothing, delete: [2] });
    expect(list.compare(touch('update', 1, 4), [1, 4], [item(1, 'b'), item(4)])).toEqual({ ...nothing, update: [item(1, 'b'), item(4)] });
    expect(list.compare(touch('create', 6), [6], [item(6)])).toEqual({ ...nothing, create: [item(6)] });
    expect(list.isDoubtful(touch('update', 9), [9], [])).toBe(false);
  });

  it('as far as it was shown: a write of hidden fields of another item is not told', async () => {
    const { list } = await listOf(5);
    list.show([item(1), item(2)], true);
    for (const shows of [false, null] as const) {
      expect(list.compare(touchHidden(shows, 4), [4], [item(4)])).toEqual(nothing);
      expect(list.compare(touchHidden(shows, 1), [1], [item(1)])).toEqual(nothing);
      expect(list.compare(touchHidden(shows, 2), [2], [item(2, 'b')])).toEqual({ ...nothing, update: [item(2, 'b')] });
    }
    list.forget();
    expect([list.isDoubtful(touchHidden(false, 9), [9], []), list.isDoubtful(touchHidden(null, 9), [9], [])]).toEqual([false, true]);
  });

  it('sends a change to those who were not shown it', async () => {
    const { list } = await listOf(5);
    list.show([item(1)], true);
    expect(list.compare(new Map(), [1], [item(1)])).toEqual(nothing);
    const difference = list.compare(touch('update', 1), [1], [item(1)]);
    expect(difference).toEqual({ ...nothing, update: [item(1)] });
    list.take(difference);
    expect(list.compare(touch('update', 1), [1], [item(1)])).toEqual(nothing);
  });

  it('begins again with a page that leaves room for more, else it remembers nothing', async () => {
    const { list, budget } = await listOf(5);
    list.show(
      [1, 2, 3, 4].map((key) => item(key)),
      false,
    );
    expect(list.fits).toBe(true);
    list.take({ ...nothing, create: [item(6)] });
    expect(list.fits).toBe(false);
    expect(list.start([item(1), item(2), item(3)])).toBe(false);
    expect(list.start([item(1), item(2)])).toBe(true);
    expect([list.keys, list.fits, budget.used]).toEqual([[1, 2], true, 2]);
    list.forget();
    expect([list.scope, list.fits, budget.used]).toEqual(['nothing', true, 0]);
    expect(list.isDoubtful(touch('update', 9), [9], [])).toBe(true);
    expect(list.isDoubtful(touch('create', 9), [9], [])).toBe(false);
    expect(list.compare(touch('update', 1, 9), [1, 9], [item(1)])).toEqual({ ...nothing, update: [item(1)] });
  });

  it('contains every item: whatever is deleted was in it', async () => {
    const { list } = await listOf(5, { isWhole: true });
    expect(list.compare(touch('delete', 3), [3], [])).toEqual({ ...nothing, delete: [3] });
    list.forget();
    expect(list.isDoubtful(touch('update', 3), [3], [])).toBe(false);
  });
});
