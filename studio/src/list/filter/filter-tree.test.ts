import { describe, expect, it } from 'vitest';
import { isComplete, printFilter, readFilter } from './filter-tree.js';

describe('a filter as a tree', () => {
  it.each([
    { _and: [{ status: { _eq: 'published' } }, { author: { name: { _icontains: 'ann' } } }] },
    { _or: [{ pages: { _between: [1, 5] } }, { _and: [{ tags: { _none: { tag: { _eq: 3 } } } }, { note: { _null: true } }] }] },
    { _and: [{ tags: { _none: { _or: [{ tag: { _eq: 3 } }, { tag: { _eq: 4 } }] } } }, { pages: { _gt: 1 } }] },
    { _or: [{ reviews: { rating: { _gt: 1 }, reader: { _eq: 'Ann' } } }, { reviews: { _none: { rating: { _gt: 1, _lt: 5 } } } }] },
    { _and: [{ reviews: { _some: { rating: { _eq: 1 }, reader: { _eq: 'Ann' } } } }] },
    { _and: [{ 'year(published)': { _eq: 2026 } }, { spot: { _intersects: { type: 'Point', coordinates: [1, 2] } } }] },
  ])('prints what it read: %j', (filter) => {
    expect(printFilter(readFilter(filter))).toEqual(filter);
  });

  it('reads the short forms of the API', () => {
    expect(printFilter(readFilter({ status: 'draft', pages: { _gt: 1, _lt: 9 }, note: { _null: false } }))).toEqual({
      _and: [{ status: { _eq: 'draft' } }, { _and: [{ pages: { _gt: 1 } }, { pages: { _lt: 9 } }] }, { note: { _nnull: true } }],
    });
    expect(printFilter(readFilter({ tags: { _some: { tag: { _eq: 3 } } } }))).toEqual({ _and: [{ tags: { tag: { _eq: 3 } } }] });
  });

  it('leaves out what is not finished, and is nothing without conditions', () => {
    const open = { kind: 'condition', path: ['a'], operator: '_eq', value: '' } as const;
    expect(isComplete(open)).toBe(false);
    expect(printFilter({ kind: 'group', join: '_and', nodes: [open, { kind: 'group', join: '_or', nodes: [] }] })).toBeUndefined();
    expect(readFilter(null)).toEqual({ kind: 'group', join: '_and', nodes: [] });
  });
});
