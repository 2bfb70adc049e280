import { describe, expect, it } from 'vitest';
import { findUnfulfilled } from './conditions.js';

const now = new Date('2026-01-02T03:04:05Z');
const holds = (filter: unknown, value: unknown): boolean => findUnfulfilled({ v: filter }, { v: value }, now).length === 0;

describe('a condition', () => {
  it.each([
    [{ _eq: 5 }, '5', true],
    [{ _eq: '5' }, 5, true],
    [{ _eq: 'a' }, 'a', true],
    [{ _neq: 'a' }, 'b', true],
    [{ _neq: 'a' }, null, false],
    [{ _gt: 9 }, '10', true],
    [{ _gt: 5 }, null, false],
    [{ _between: [1, 3] }, 2, true],
    [{ _nbetween: [1, 3] }, 4, true],
    [{ _in: ['a', 'b'] }, 'b', true],
    [{ _in: 'a,b' }, 'b', true],
    [{ _nin: ['a'] }, 'b', true],
    [{ _null: true }, null, true],
    [{ _null: false }, null, false],
    [{ _nnull: true }, 0, true],
    [{ _empty: true }, '', true],
    [{ _empty: true }, [], true],
    [{ _nempty: true }, [1], true],
    [{ _contains: 'ell' }, 'hello', true],
    [{ _ncontains: 'x' }, 'hello', true],
    [{ _icontains: 'ELL' }, 'hello', true],
    [{ _contains: 2 }, [1, 2], true],
    [{ _starts_with: 'he' }, 'hello', true],
    [{ _ends_with: 'lo' }, 'hello', true],
    [{ _regex: '^h.*o$' }, 'hello', true],
    [{ _lt: '$NOW' }, '2026-01-01', true],
    [{ _gt: '$NOW(-1 day)' }, '2026-01-02T00:00:00Z', true],
    [{ _eq: true }, true, true],
    [{ k: { _eq: 1 } }, { k: 1 }, true],
    [{ _or: [{ _eq: 1 }, { _eq: 2 }] }, 2, true],
    [{ _and: [{ _gt: 1 }, { _lt: 3 }] }, 3, false],
  ])('%j of %j: %s', (filter, value, expected) => {
    expect(holds(filter, value)).toBe(expected);
  });

  it('needs every value that it names', () => {
    expect(findUnfulfilled({ a: { b: { _null: true } } }, { a: {} }, now)).toEqual([{ field: 'a.b', type: null }]);
    expect(findUnfulfilled({ __proto__: null, toString: { _nnull: true } }, {}, now)).toEqual([{ field: 'toString', type: null }]);
    expect(findUnfulfilled({}, {}, now)).toEqual([]);
  });

  it.each([['text'], [[]], [{ a: 5 }], [{ v: { _nonsense: 1 } }], [{ _or: 1 }], [{ v: { _between: [1] } }]])('%j is refused', (filter) => {
    expect(() => findUnfulfilled(filter, { v: 1, a: 1 }, now)).toThrow('Invalid payload');
  });
});
