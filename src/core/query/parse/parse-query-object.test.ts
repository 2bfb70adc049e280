import { describe, expect, it } from 'vitest';
import { defaultQueryLimits, type ParsedQuery } from '../query.js';
import { parseQueryObject } from './parse-query-object.js';

const parse = (query: unknown): ParsedQuery => parseQueryObject(query, defaultQueryLimits);

describe('parseQueryObject', () => {
  it('refuses what is not a query', () => {
    for (const bad of ['name', null, [], 1, undefined, { filtre: {} }, { query: {} }, JSON.parse('{"__proto__":{}}')]) {
      expect(() => parse(bad), JSON.stringify(bad)).toThrow('Invalid query');
    }
  });

  it('reads aggregates, groups and conditions on them', () => {
    const { query, literals } = parse({
      aggregate: { count: '*', avg: ['price', 'words'], max: 'year(published)' },
      groupBy: ['author.country', 'year(published)', 'author.country'],
      having: { avg: { price: { _gt: 10 } }, count: { _gte: 2 }, _or: [{ max: { words: 5 } }, { count: { id: { _lt: 9 } } }] },
      sort: '-avg.price,author.country',
    });
    expect(query.aggregate).toMatchObject([
      { fn: 'count', path: null },
      { fn: 'avg', path: [{ name: 'price' }] },
      { fn: 'avg', path: [{ name: 'words' }] },
      { fn: 'max', path: [{ name: 'published', fn: 'year' }] },
    ]);
    expect(query.groupBy.map((term) => term.as)).toEqual(['author.country', 'published_year']);
    expect(query.having).toMatchObject({
      kind: 'and',
      filters: [
        { aggregate: { fn: 'avg' }, operator: '_gt', slot: 0 },
        { aggregate: { fn: 'count', path: null }, operator: '_gte', slot: 1 },
        {
          kind: 'or',
          filters: [
            { operator: '_eq', slot: 2 },
            { aggregate: { fn: 'count', path: [{ name: 'id' }] }, slot: 3 },
          ],
        },
      ],
    });
    expect(literals).toEqual([10, 2, 5, 9]);
    expect(query.sort).toMatchObject([{ path: [{ name: 'avg' }, { name: 'price' }], descending: true }, { descending: false }]);
  });

  it.each([
    [{ aggregate: { half: 'n' } }],
    [{ aggregate: { sum: '*' } }],
    [{ aggregate: { countAll: 'id' } }],
    [{ aggregate: { count: '' } }],
    [{ aggregate: 'count' }],
    [{ aggregate: { constructor: 'a' } }],
    [{ having: { avg: 5 } }],
    [{ having: { avg: { _gt: 5 } } }],
    [{ having: { count: { id: { _like: 1 } } } }],
    [{ having: { _or: {} } }],
    [{ groupBy: { a: 1 } }],
    [{ groupBy: 'a..b' }],
    [{ sort: '-' }],
    [{ sort: '?' }],
    [{ sort: ['a', 1] }],
    [{ search: {} }],
    [{ search: true }],
    [{ deep: { _limit: 1 } }],
    [{ deep: { a: { _nope: 1 } } }],
    [{ deep: { a: 1 } }],
    [{ deep: { a: null } }],
    [{ deep: '{"a":' }],
    [{ deep: { a: { _limit: 'x' } } }],
    [{ deep: { a: { _filter: { b: { _like: 1 } } } } }],
    [{ deep: [] }],
    [{ limit: 1.5 }],
    [{ limit: true }],
    [{ offset: 9e15 }],
    [{ cursor: 5 }],
  ])('refuses %j', (query) => {
    expect(() => parse(query)).toThrow('Invalid query');
  });

  it('reads nested arguments, each level with the same names', () => {
    const { query, literals } = parse({
      filter: { id: 7 },
      deep: {
        orders: {
          _limit: 3,
          _page: 2,
          _sort: '-total',
          _search: 'x',
          _filter: { paid: true },
          lines: '{"_limit":1,"_filter":{"n":{"_gt":2}}}',
        },
        books_aggregated: { _aggregate: { count: '*', max: 'year' }, _groupBy: 'kind', _having: { count: { _gt: 1 } } },
      },
    });
    expect(query.deep['orders']).toMatchObject({ limit: 3, fields: [], sort: [{ descending: true }], filter: { operator: '_eq' } });
    expect(query.deep['orders']?.deep['lines']).toMatchObject({ limit: 1, filter: { operator: '_gt' } });
    expect(query.deep['books_aggregated']).toMatchObject({
      aggregate: [{ fn: 'count' }, { fn: 'max' }],
      groupBy: [{ as: 'kind' }],
      having: { slot: 5 },
    });
    expect(literals).toEqual([7, true, 3, 'x', 2, 1]);
  });

  it('bounds the levels of deep, and conditions count from the root', () => {
    const nested = (levels: number, end: object): object => (levels === 0 ? end : { a: nested(levels - 1, end) });
    expect(() => parse({ deep: nested(10, { _limit: 1 }) })).not.toThrow();
    expect(() => parse({ deep: nested(11, { _limit: 1 }) })).toThrow('10 levels');
    expect(() => parse({ deep: nested(10, { _filter: { b: { c: 1 } } }) })).toThrow('10 levels');
    expect(() => parse({ deep: nested(10, { _sort: 'b.c' }) })).toThrow('10 levels');
    expect(() => parse({ deep: `${'{"a":'.repeat(10_000)}{}${'}'.repeat(10_000)}` })).toThrow('nested deeper than 100 levels');
  });

  it('takes null and blanks as absent', () => {
    expect(
      parse({ limit: null, filter: null, fields: null, deep: null, search: ' ', sort: '', aggregate: '', alias: null, meta: null }),
    ).toEqual(parse({}));
  });
});
