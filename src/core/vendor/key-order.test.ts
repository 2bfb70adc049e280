import { expect, it } from 'vitest';
import { inKeyOrder } from './key-order.js';

it('sorts returned rows by the generated key, in any place and of any type', () => {
  const rows = [
    ['c', '10'],
    ['a', 2n],
    ['b', 9],
  ] as const;
  expect(inKeyOrder(rows, 1).map(([name]) => name)).toEqual(['a', 'b', 'c']);
});

it('leaves rows that ascend as they are', () => {
  const rows = [[1], [2], [10]];
  expect(inKeyOrder(rows, 0)).toBe(rows);
  expect(inKeyOrder([], 0)).toEqual([]);
});
