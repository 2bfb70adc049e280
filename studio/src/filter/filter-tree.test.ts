import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { typedText } from '../schema/typed.js';
import { isComplete, isFinished, noFilter, printFilter, readFilter } from './filter-tree.js';

const operator = fc.constantFrom('_eq', '_neq', '_in', '_null', '_nnull', '_between', '_empty', '_contains');
const operand = fc.oneof(
  fc.constantFrom(null, '', 'a', 0, true, false, '$NOW'),
  fc.array(fc.constantFrom(null, '', 'b', 2), { maxLength: 3 }),
);
const { filter: anyFilter } = fc.letrec<{ filter: Readonly<Record<string, unknown>> }>((tie) => {
  const inner = fc.array(tie('filter'), { maxLength: 3 });
  const leaf = fc.dictionary(operator, operand, { maxKeys: 2, noNullPrototype: true });
  const field = fc.constantFrom('status', 'author', 'tags', 'count(tags)');
  return {
    filter: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.tuple(field, fc.oneof(leaf, operand)).map(([name, asked]) => ({ [name]: asked })),
      fc.tuple(field, tie('filter')).map(([name, asked]) => ({ [name]: asked })),
      fc
        .tuple(field, fc.constantFrom('_some', '_none'), tie('filter'))
        .map(([name, quantity, asked]) => ({ [name]: { [quantity]: asked } })),
      inner.map((parts) => ({ _and: parts })),
      inner.map((parts) => ({ _or: parts })),
    ),
  };
});

/** The operands of a filter, each with the way to it; a bare value asks for equality, and a flag set to false for the opposite. */
function asked(filter: unknown, path: readonly string[] = []): readonly string[] {
  if (Array.isArray(filter)) return filter.flatMap((each) => asked(each, path));
  if (typeof filter !== 'object' || filter === null) return [];
  return Object.entries(filter).flatMap(([name, value]): readonly string[] => {
    if (name === '_and' || name === '_or' || name === '_some') return asked(value, path);
    const isAsked = name.startsWith('_') && name !== '_none';
    if (!isAsked && typeof value === 'object' && value !== null && !Array.isArray(value)) return asked(value, [...path, name]);
    const way = isAsked ? [...path, name] : [...path, name, '_eq'];
    return [JSON.stringify([way, value])];
  });
}

/** As the builder writes flags. */
const flag = (text: string): string =>
  text
    .replace(/"_(null|empty)"\],(?:false|"false")\]$/, '"_n$1"],true]')
    .replace(/"_n(null|empty)"\],(?:false|"false")\]$/, '"_$1"],true]')
    .replace(/"(_n?(?:null|empty))"\],.*\]$/, '"$1"],true]');

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

  it('loses no condition of a stored filter, whatever it asks', () => {
    fc.assert(
      fc.property(anyFilter, (filter) => {
        const printed = printFilter(readFilter(filter));
        expect([...asked(printed)].map(flag).sort()).toEqual([...asked(filter)].map(flag).sort());
        expect(isFinished({ ...noFilter, nodes: [...readFilter(filter).nodes, ...readFilter({ a: { _eq: 1 } }).nodes] })).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    { _or: [] },
    { tags: { _none: {} } },
    { status: { _in: [] } },
    { status: { _eq: null } },
    { _and: [{ status: { _eq: '' } }, { _or: [{ a: 1 }, {}] }] },
  ])('keeps what a rule means without a value: %j', (filter) => {
    expect(printFilter(readFilter(filter))).toEqual('_and' in filter ? filter : { _and: [filter] });
  });

  it('is finished once every condition says what it asks', () => {
    const done = { kind: 'condition', path: ['a'], operator: '_eq', value: 1 } as const;
    const faulty = { ...done, value: typedText('many', 'number') };
    expect(isFinished(noFilter)).toBe(false);
    expect(isFinished({ ...noFilter, nodes: [done] })).toBe(true);
    expect(isFinished({ ...noFilter, nodes: [done, noFilter] })).toBe(false);
    expect(isFinished({ ...noFilter, nodes: [done, { ...done, value: '' }] })).toBe(false);
    expect(isFinished({ ...noFilter, nodes: [done, faulty] })).toBe(false);
    expect(isFinished({ ...noFilter, nodes: [{ ...done, operator: '_in', value: [1, faulty.value] }] })).toBe(false);
  });

  it('leaves out what is not finished, and is nothing without conditions', () => {
    const open = { kind: 'condition', path: ['a'], operator: '_eq', value: '' } as const;
    expect(isComplete(open)).toBe(false);
    expect(printFilter({ kind: 'group', join: '_and', nodes: [open, { kind: 'group', join: '_or', nodes: [] }] })).toBeUndefined();
    expect(readFilter(null)).toEqual({ kind: 'group', join: '_and', nodes: [] });
  });
});
