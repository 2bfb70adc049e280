import { describe, expect, it } from 'vitest';
import { isFinishedRow, printConditions, readConditions } from './condition-rows.js';

const row = (path: string, operator: string, value = '') => ({ path, operator, value });

describe('the filter of a condition as rows', () => {
  it.each([
    [undefined, []],
    [{ $trigger: { body: { n: { _gt: 5 } } } }, [row('$trigger.body.n', '_gt', '5')]],
    [{ $last: { _nnull: true } }, [row('$last', '_nnull')]],
    [
      { _and: [{ a: { _eq: '{{ $last }}' } }, { b: { c: { _in: ['x', 2] } } }] },
      [row('a', '_eq', '{{ $last }}'), row('b.c', '_in', 'x, 2')],
    ],
    [{ a: { _eq: true } }, [row('a', '_eq', 'true')]],
  ])('%j is read, and stored again as it was', (filter, rows) => {
    expect(readConditions(filter)).toEqual(rows);
    expect(printConditions(rows)).toEqual(filter);
  });

  it.each([
    [{ _or: [{ a: { _eq: 1 } }] }],
    [{ a: { _eq: '5' } }],
    [{ a: { _eq: { b: 1 } } }],
    [{ a: { _null: false } }],
    [{ a: 5 }],
    ['{"a":1}'],
    [{ a: { _in: ['x,y'] } }],
  ])('%j stays as it is', (filter) => {
    expect(readConditions(filter)).toBeNull();
  });

  it('needs a path, whose places in lists are names', () => {
    expect(['', 'a b', '{{ a }}', 'a..b', '$last', 'a[0].b'].map((path) => isFinishedRow(row(path, '_eq')))).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
    ]);
    expect(printConditions([row('a[0].b', '_eq', 'x')])).toEqual({ a: { 0: { b: { _eq: 'x' } } } });
  });
});
