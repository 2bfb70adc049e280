import { describe, expect, it } from 'vitest';
import { NamedValues, Names } from './named-values.js';

const fill = (root: Names, pairs: readonly (readonly [string, number])[]): NamedValues<number> => {
  const values = new NamedValues<number>(root);
  for (const [name, value] of pairs) values.set(name, value);
  return values;
};

describe('values under names', () => {
  it('are a map in the order of the names', () => {
    const values = fill(Names.root(10), [
      ['b', 1],
      ['a', 2],
      ['b', 3],
      ['__proto__', 4],
    ]);
    const expected = new Map([
      ['b', 3],
      ['a', 2],
      ['__proto__', 4],
    ]);
    expect([...values]).toEqual([...expected]);
    expect([[...values.keys()], [...values.values()], values.size]).toEqual([[...expected.keys()], [...expected.values()], 3]);
    expect([values.get('a'), values.get('c'), values.has('__proto__'), values.has('c')]).toEqual([2, undefined, true, false]);
    const seen: unknown[] = [];
    values.forEach((value, name) => void seen.push([name, value]));
    expect(seen).toEqual([...expected]);
  });

  it('share their names with those of the same names in the same order', () => {
    const root = Names.root(10);
    const [one, same, other] = ['ab', 'ab', 'ba'].map((names) =>
      fill(
        root,
        [...names].map((name) => [name, 1]),
      ),
    );
    expect(one?.names).toBe(same?.names);
    expect(one?.names).not.toBe(other?.names);
  });

  it('continue without sharing when the root shares no more names', () => {
    const root = Names.root(1);
    const rows = [1, 2].map((value) =>
      fill(root, [
        ['a', value],
        ['b', value],
        ['a', 0],
      ]),
    );
    expect(rows.map((row) => [...row])).toEqual(
      [1, 2].map((value) => [
        ['a', 0],
        ['b', value],
      ]),
    );
    expect(rows[0]?.names).not.toBe(rows[1]?.names);
  });
});
