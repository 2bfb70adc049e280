import { describe, expect, it } from 'vitest';
import { defaultQueryLimits, type FieldRef, type Filter, type ParsedQuery } from '../query.js';
import { parseQueryObject } from './parse-query-object.js';
import { parseRule } from './parse-rule.js';

const parsed = (filter: unknown): ParsedQuery => parseQueryObject({ filter }, defaultQueryLimits);

const nameOf = (field: FieldRef): string => {
  const name = field.scope === null ? field.name : `${field.name}:${field.scope}`;
  return field.fn === null ? name : `${field.fn}(${name})`;
};

/** The tree in short, with its literals back in place. */
function outline(filter: Filter | null, literals: readonly unknown[]): unknown {
  if (filter === null) return null;
  switch (filter.kind) {
    case 'and':
    case 'or':
      return [filter.kind, ...filter.filters.map((part) => outline(part, literals))];
    case 'compare':
      return [nameOf(filter.field), filter.operator, ...(filter.slot === null ? [] : [literals[filter.slot]])];
    case 'json':
      return [`${nameOf(filter.field)}#${filter.path}`, filter.operator, ...(filter.slot === null ? [] : [literals[filter.slot]])];
    case 'related':
      return [filter.quantifier, nameOf(filter.field), outline(filter.filter, literals)];
  }
}

function show(filter: unknown): unknown {
  const { query, literals } = parsed(filter);
  return outline(query.filter, literals);
}

describe('filter', () => {
  it.each([
    [{}, null],
    [{ _and: [] }, null],
    [{ _or: [] }, null],
    [{ title: {} }, null],
    [{ a: 1 }, ['a', '_eq', 1]],
    ['{"a":{"_eq":"x"}}', ['a', '_eq', 'x']],
    [{ a: { _gte: 1, _lt: 5 } }, ['and', ['a', '_gte', 1], ['a', '_lt', 5]]],
    [{ a: 1, b: 2 }, ['and', ['a', '_eq', 1], ['b', '_eq', 2]]],
    [{ _or: [{ a: 1 }, { b: 2, c: 3 }] }, ['or', ['a', '_eq', 1], ['and', ['b', '_eq', 2], ['c', '_eq', 3]]]],
    [{ _or: [{ a: 1 }] }, ['a', '_eq', 1]],
    [{ a: null }, ['a', '_null']],
    [{ a: { _eq: 'null' } }, ['a', '_null']],
    [{ a: { _neq: null } }, ['a', '_nnull']],
    [{ a: { _null: false } }, ['a', '_nnull']],
    [{ a: { _nempty: 'false' } }, ['a', '_empty']],
    [{ a: { _nnull: '' } }, ['a', '_nnull']],
    [{ a: { _eq: 'true' } }, ['a', '_eq', true]],
    [{ a: { _in: '1,true' } }, ['a', '_in', ['1', true]]],
    [{ a: { _in: 3 } }, ['a', '_in', [3]]],
    [{ a: { _between: '1,2' } }, ['a', '_between', ['1', '2']]],
    [{ 'year(d)': { _eq: 2024 } }, ['year(d)', '_eq', 2024]],
    [{ author: { 'year(born)': { _lt: 1986 } } }, ['some', 'author', ['year(born)', '_lt', 1986]]],
    [{ blocks: { 'item:heroes': { headline: 'x' } } }, ['some', 'blocks', ['some', 'item:heroes', ['headline', '_eq', 'x']]]],
    [{ _id: { _eq: 1 } }, ['_id', '_eq', 1]],
    [{ geo: { _intersects: { type: 'Point', coordinates: [1, 2] } } }, ['geo', '_intersects', { type: 'Point', coordinates: [1, 2] }]],
  ])('reads %j', (filter, expected) => {
    expect(show(filter)).toEqual(expected);
  });

  it('keeps conditions on one related item together, groups included', () => {
    expect(show({ orders: { paid: true, _and: [{ total: { _gt: 5 } }, { _or: [{ a: 1 }, { b: 2 }] }] } })).toEqual([
      'some',
      'orders',
      ['and', ['paid', '_eq', true], ['total', '_gt', 5], ['or', ['a', '_eq', 1], ['b', '_eq', 2]]],
    ]);
  });

  it('lets groups below a field mix its own operators and related fields', () => {
    expect(show({ author: { _or: [{ _null: true }, { name: 'Ada' }] } })).toEqual([
      'or',
      ['author', '_null'],
      ['some', 'author', ['name', '_eq', 'Ada']],
    ]);
    expect(show({ title: { _or: [{ _eq: 'a' }, { _starts_with: 'b' }] } })).toEqual([
      'or',
      ['title', '_eq', 'a'],
      ['title', '_starts_with', 'b'],
    ]);
  });

  it('applies every key of _some and _none, groups included', () => {
    expect(show({ orders: { _none: { a: 1, _or: [{ b: 2 }, { c: 3 }] }, _some: {} } })).toEqual([
      'and',
      ['none', 'orders', ['and', ['a', '_eq', 1], ['or', ['b', '_eq', 2], ['c', '_eq', 3]]]],
      ['some', 'orders', ['and']],
    ]);
  });

  it('reads conditions inside JSON values', () => {
    expect(
      show({
        specs: { _json: { colour: 'green', 'size.width': { _gt: 3 }, tags: { first: { _null: true } }, 'list[0]': { _in: 'a,b' } } },
      }),
    ).toEqual([
      'and',
      ['specs#colour', '_eq', 'green'],
      ['specs#size.width', '_gt', 3],
      ['specs#tags.first', '_null'],
      ['specs#list[0]', '_in', ['a', 'b']],
    ]);
  });

  it('takes a list or an object as one value: fields that hold none refuse it when it is bound', () => {
    expect(show({ a: { _eq: [1, 2] }, b: { _contains: { c: 'd' } }, e: { _in: [[1], [2]] } })).toEqual([
      'and',
      ['a', '_eq', [1, 2]],
      ['b', '_contains', { c: 'd' }],
      ['e', '_in', [[1], [2]]],
    ]);
  });

  it.each([
    [{ a: { _like: 'x' } }],
    [{ a: { _regex: 'x' } }],
    [{ a: { _submitted: true } }],
    [{ _eq: 1 }],
    [{ _nope: 1 }],
    [{ _some: {} }],
    [{ a: { _contains: '' } }],
    [{ a: { _gt: '' } }],
    [{ a: { _gt: null } }],
    [{ a: { _in: [] } }],
    [{ a: { _in: '' } }],
    [{ a: { _in: [1, null] } }],
    [{ a: { _between: 1 } }],
    [{ a: { _between: [1, 2, 3] } }],
    [{ a: { _null: 'maybe' } }],
    [{ a: { _null: 2 } }],
    [{ _and: { a: 1 } }],
    [{ _or: ['a'] }],
    [{ a: { _or: {} } }],
    [{ a: { _some: 1 } }],
    [{ a: { _none: [] } }],
    [{ 'year(a) or 1=1': 1 }],
    [{ 'year(a)': { b: 1 } }],
    [{ a: { _json: 'b' } }],
    [{ a: { _json: {} } }],
    [{ a: { _json: { "b') or 1=1--": 1 } } }],
    [{ a: { _json: { 'b[*]': 1 } } }],
    [{ a: { _json: { _eq: 1 } } }],
    [{ a: { _json: { b: { _like: 1 } } } }],
    [{ a: { _intersects: 1 } }],
    ['"abc"'],
    ['{"a":'],
    [1],
    [[]],
    [{ ['x'.repeat(64)]: 1 }],
  ])('refuses %j', (filter) => {
    expect(() => parsed(filter)).toThrow('Invalid query');
  });

  it('bounds relations and nesting', () => {
    const through = (hops: number): unknown => (hops === 0 ? 1 : { parent: through(hops - 1) });
    expect(parsed(through(11)).query.filter).not.toBeNull();
    expect(() => parsed(through(12))).toThrow('10 levels');
    const nested = (levels: number): unknown => (levels === 0 ? { a: 1 } : { _and: [nested(levels - 1)] });
    expect(show(nested(30))).toEqual(['a', '_eq', 1]);
    expect(() => parsed(nested(500))).toThrow('nested too deeply');
  });
});

describe('names with characters of the grammar', () => {
  it('are taken whole in a request, where only the schema distinguishes them from paths', () => {
    expect(show({ 'a.b': 1 })).toEqual(['a.b', '_eq', 1]);
    expect(show({ 'Price (USD)': 1 })).toEqual(['Price (USD)', '_eq', 1]);
  });

  it('are escaped by backslashes everywhere', () => {
    expect(show({ 'a\\.b': 1 })).toEqual(['a.b', '_eq', 1]);
    expect(show({ '\\_and': 1 })).toEqual(['_and', '_eq', 1]);
    expect(show({ 'a\\:b': 1 })).toEqual(['a:b', '_eq', 1]);
    expect(parseRule({ 'a\\.b': 1 }, 'rule', defaultQueryLimits)?.filter).toMatchObject({ field: { name: 'a.b' } });
    expect(() => parseRule({ 'a.b': 1 }, 'rule', defaultQueryLimits)).toThrow('nested objects');
    expect(() => show({ '\\__proto__': 1 })).toThrow('__proto__');
  });
});

describe('rules', () => {
  it('never widen by an empty _or', () => {
    expect(parseRule({ _or: [] }, 'rule', defaultQueryLimits)).toEqual({ filter: { kind: 'or', filters: [] }, literals: [] });
    expect(parseRule({ a: { _or: [] } }, 'rule', defaultQueryLimits)?.filter).toEqual({ kind: 'or', filters: [] });
    expect(parseRule({}, 'rule', defaultQueryLimits)).toBeNull();
    expect(parseRule(null, 'rule', defaultQueryLimits)).toBeNull();
  });

  it('know patterns and submission only for validation', () => {
    const rule = { _and: [{ mail: { _regex: '^.+@.+$' } }, { name: { _submitted: true, _neq: '' } }] };
    expect(parseRule(rule, 'validation', defaultQueryLimits)?.literals).toEqual(['^.+@.+$', '']);
    expect(() => parseRule(rule, 'rule', defaultQueryLimits)).toThrow('_regex');
  });
});
