import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draftValue, edit, inverse, isEqual, merge } from './draft.js';
import type { Item } from './item.js';

const field = fc.constantFrom('a', 'b', 'c', 'd');
const value = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom('x', 'y'),
  fc.array(fc.integer({ max: 2 }), { maxLength: 2 }),
);
const item = fc.record({ a: value, b: value, c: value, d: value });
const changes = fc.array(fc.tuple(field, value), { maxLength: 6 });

const editAll = (base: Item, list: readonly (readonly [string, unknown])[]) =>
  list.reduce((edits, [name, next]) => edit(base, edits, name, next), {});
const apply = (base: Item, edits: Item): Item => ({ ...base, ...edits });

describe('a draft', () => {
  it('keeps the last value of each field and forgets edits that change nothing', () => {
    fc.assert(
      fc.property(item, changes, (base, list) => {
        const edits = editAll(base, list);
        for (const [name, next] of new Map(list)) expect(draftValue(base, edits, name)).toEqual(next);
        for (const [name, next] of Object.entries(edits)) expect(isEqual((base as Item)[name], next)).toBe(false);
      }),
    );
  });

  it('is undone by its inverse', () => {
    fc.assert(
      fc.property(item, changes, (base, list) => {
        const edits = editAll(base, list);
        expect(apply(apply(base, edits), inverse(base, edits))).toEqual(base);
      }),
    );
  });
});

describe('a merge', () => {
  it('keeps every edit of both sides and names exactly the fields they disagree about', () => {
    fc.assert(
      fc.property(item, changes, changes, (base, mine, theirs) => {
        const [edits, saved] = [editAll(base, mine), apply(base, editAll(base, theirs))];
        const { edits: kept, conflicts } = merge(base, edits, saved);
        const merged = apply(saved, kept);
        for (const name of ['a', 'b', 'c', 'd']) {
          const changed = { mine: name in edits, theirs: !isEqual((base as Item)[name], saved[name]) };
          expect(merged[name]).toEqual(changed.mine ? (edits as Item)[name] : saved[name]);
          const disagree = changed.mine && changed.theirs && !isEqual((edits as Item)[name], saved[name]);
          expect(conflicts.some((conflict) => conflict.field === name)).toBe(disagree);
        }
      }),
    );
  });

  it('finds the same conflicts from either side', () => {
    fc.assert(
      fc.property(item, changes, changes, (base, left, right) => {
        const [one, other] = [editAll(base, left), editAll(base, right)];
        const names = (edits: Item, theirs: Item) =>
          merge(base, edits, apply(base, theirs))
            .conflicts.map((conflict) => conflict.field)
            .toSorted();
        expect(names(one, other)).toEqual(names(other, one));
      }),
    );
  });
});
