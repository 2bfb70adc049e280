import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arrange, moveTo, type Placed, placesChanged, type Step, stepTarget } from './arrange.js';

const entry = (id: string, parent: string | null = null, isGroup = false): Placed => ({ id, parent, isGroup, sort: null });
const list = [entry('a'), entry('g', null, true), entry('b', 'g'), entry('c'), entry('d', 'g')];
const shown = (entries: readonly Placed[] | undefined): string | undefined =>
  entries === undefined
    ? undefined
    : arrange(entries)
        .map(({ id, depth }) => '-'.repeat(depth) + id)
        .join(' ');

const step = (id: string, way: Step): string | undefined => {
  const target = stepTarget(list, id, way);
  return target === undefined ? undefined : shown(moveTo(list, id, target));
};

it('shows what is in a group behind it', () => {
  expect(shown(list)).toBe('a g -b -d c');
  expect(shown([entry('a', 'gone'), entry('g', 'g', true)])).toBe('a g');
});

it('moves by one step', () => {
  expect(step('a', 'up')).toBeUndefined();
  expect(step('a', 'down')).toBe('g -b -d a c');
  expect(step('c', 'up')).toBe('a c g -b -d');
  expect(step('c', 'in')).toBe('a g -b -d -c');
  expect(step('a', 'in')).toBeUndefined();
  expect(step('b', 'out')).toBe('a g -d b c');
  expect(step('b', 'down')).toBe('a g -d -b c');
  expect(step('g', 'down')).toBe('a c g -b -d');
});

it('moves to a place, but never into itself', () => {
  expect(shown(moveTo(list, 'c', { parent: 'g', before: 'd' }))).toBe('a g -b -c -d');
  expect(moveTo(list, 'g', { parent: 'g', before: null })).toBeUndefined();
  expect(moveTo(list, 'a', { parent: null, before: 'g' })).toBeUndefined();
});

it('names only the places that changed', () => {
  const stored = [entry('a'), entry('b'), entry('c')].map((each, index) => ({ ...each, sort: index + 1 }));
  const moved = moveTo(stored, 'c', { parent: null, before: 'b' }) ?? [];
  expect(placesChanged(moved, stored).map(({ id, sort }) => [id, sort])).toEqual([
    ['c', 2],
    ['b', 3],
  ]);
});

it('loses no entry, whatever is moved where', () => {
  const names = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const entries = fc
    .uniqueArray(names, { minLength: 1 })
    .chain((ids) =>
      fc.tuple(
        ...ids.map((id) => fc.record({ parent: fc.option(names), isGroup: fc.boolean() }).map((more) => ({ id, sort: null, ...more }))),
      ),
    );
  fc.assert(
    fc.property(entries, names, fc.option(names), fc.option(names), (all, id, parent, before) => {
      const moved = moveTo(all, id, { parent, before });
      const ids = (each: readonly Placed[]) => each.map((one) => one.id).toSorted();
      expect(ids(moved ?? arrange(all))).toEqual(ids(all));
    }),
  );
});
