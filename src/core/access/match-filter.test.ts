import { describe, expect, it } from 'vitest';
import { operators, operatorsIn } from '../query/operators.js';
import { parseRule } from '../query/parse/parse-rule.js';
import { defaultQueryLimits, type Path } from '../query/query.js';
import type { FieldType } from '../schema/types/field-type.js';
import { failedConditions, failedValidation } from './failed-conditions.js';
import { matchCondition } from './match-condition.js';
import { type Item, matchFilter } from './match-filter.js';
import type { MatchLookup } from './match-lookup.js';

const types: Readonly<Record<string, FieldType>> = {
  title: 'string',
  words: 'integer',
  big: 'bigInteger',
  price: 'decimal',
  rating: 'float',
  active: 'boolean',
  born: 'date',
  at: 'time',
  made: 'timestamp',
  tags: 'csv',
  key: 'uuid',
  specs: 'json',
  'author.name': 'string',
  author: 'uuid',
  orders: 'alias',
  'orders.total': 'integer',
  'orders.paid': 'boolean',
  blocks: 'alias',
  'blocks.item': 'string',
  'blocks.item.headline': 'string',
  area: 'geometry',
};

const lookup: MatchLookup = {
  typeOf: (path: Path) => types[path.map((step) => step.name).join('.')] ?? null,
  collectionFieldOf: (path: Path) => (path.at(-1)?.name === 'item' ? 'collection' : null),
  relatedFieldOf: (path: Path) => (path.at(-1)?.name === 'author' ? 'id' : null),
};

const item: Item = {
  title: 'Joins 100% "Ä"',
  words: 800,
  big: '9007199254740993',
  price: '12.50',
  rating: 1.5,
  active: true,
  born: '2024-02-29',
  at: '13:45:10',
  made: '2024-03-10T02:30:00.000Z',
  tags: ['red', 'blue'],
  key: '7D444840-9DC0-41D1-B245-5FFDCE74FAD2',
  specs: { size: { width: 3 }, colour: 'green', list: [1, 'two'] },
  nothing: null,
  blank: '',
  author: { name: 'Ada' },
  orders: [
    { total: 5, paid: false },
    { total: 50, paid: true },
  ],
  area: { type: 'Point', coordinates: [1, 2] },
  blocks: [
    { collection: 'heroes', item: { headline: 'Welcome' } },
    { collection: 'quotes', item: '3' },
  ],
};

function match(filter: object, subject: Item = item): boolean {
  const rule = parseRule(filter, 'validation', defaultQueryLimits);
  return rule === null || matchFilter(rule.filter, rule.literals, subject, lookup);
}

describe('matchFilter', () => {
  it.each<[object, boolean]>([
    [{ title: { _contains: '100%' } }, true],
    [{ title: { _contains: '1_0' } }, false],
    [{ title: { _contains: 'joins' } }, false],
    [{ title: { _icontains: 'JOINS' } }, true],
    [{ title: { _nicontains: 'JOINS' } }, false],
    [{ title: { _nicontains: 'elsewhere' } }, true],
    [{ title: { _iends_with: '"ä"' } }, true],
    [{ title: { _nstarts_with: 'J' } }, false],
    [{ title: { _nistarts_with: 'x' } }, true],
    [{ title: { _niends_with: '"Ä"' } }, false],
    [{ words: { _eq: '800' } }, true],
    [{ words: { _gt: 9 } }, true],
    [{ words: { _between: '300,800' } }, true],
    [{ words: { _nbetween: [300, 800] } }, false],
    [{ words: { _in: '1,800' } }, true],
    [{ words: { _nin: [1, 2] } }, true],
    [{ words: { _eq: 'many' } }, false],
    [{ words: { _neq: 'many' } }, false],
    [{ big: { _eq: '9007199254740993' } }, true],
    [{ big: { _gt: '9007199254740992' } }, true],
    [{ price: { _eq: 12.5 } }, true],
    [{ price: { _lt: '9.99' } }, false],
    [{ rating: { _lte: '1.5' } }, true],
    [{ active: { _eq: 'true' } }, true],
    [{ active: { _neq: 1 } }, false],
    [{ born: { _lt: '2024-03-01' } }, true],
    [{ at: { _gt: '13:45:09.999' } }, true],
    [{ made: { _eq: '2024-03-10T04:30:00+02:00' } }, true],
    [{ made: { _contains: '2024-03' } }, true],
    [{ tags: { _contains: 'red,bl' } }, true],
    [{ key: { _eq: '7d444840-9dc0-41d1-b245-5ffdce74fad2' } }, true],
    [{ specs: { _json: { 'size.width': { _gt: '2' } } } }, true],
    [{ specs: { _json: { colour: 'green', 'list[1]': 'two' } } }, true],
    [{ specs: { _json: { none: { _null: true } } } }, true],
    [{ specs: { _json: { toString: { _nnull: true } } } }, false],
    [{ 'year(born)': 2024 }, true],
    [{ 'week(born)': 9 }, true],
    [{ 'weekday(born)': 4 }, true],
    [{ 'hour(at)': 13 }, true],
    [{ 'minute(made)': 30 }, true],
    [{ 'count(orders)': 2 }, true],
    [{ nothing: { _null: true } }, true],
    [{ nothing: { _eq: 'x' } }, false],
    [{ nothing: { _neq: 'x' } }, false],
    [{ nothing: { _nin: ['x'] } }, false],
    [{ nothing: { _ncontains: 'x' } }, false],
    [{ nothing: { _nbetween: [1, 2] } }, false],
    [{ nothing: { _empty: true } }, true],
    [{ blank: { _empty: true } }, true],
    [{ blank: { _nnull: true } }, true],
    [{ title: { _nempty: true } }, true],
    [{ absent: { _null: true } }, true],
    [{ _or: [{ nothing: { _neq: 'x' } }, { words: 800 }] }, true],
    [{ _and: [{ nothing: { _neq: 'x' } }, { words: 800 }] }, false],
    [{ author: { name: 'Ada' } }, true],
    [{ author: { name: 'Bruno' } }, false],
    [{ author: { _nnull: true } }, true],
    [{ orders: { total: { _gt: 9 }, paid: true } }, true],
    [{ orders: { total: { _lt: 9 }, paid: true } }, false],
    [{ orders: { _none: { total: 5 } } }, false],
    [{ orders: { _none: { total: 6 } } }, true],
    [{ orders: { _null: true } }, false],
    [{ absent: { _none: { a: 1 } } }, true],
    [{ blocks: { 'item:heroes': { headline: 'Welcome' } } }, true],
    [{ blocks: { 'item:quotes': { headline: 'Welcome' } } }, false],
    [{ title: { _regex: '^Joins \\d+' } }, true],
    [{ title: { _regex: '/^JOINS/i' } }, true],
    [{ title: { _regex: '(' } }, false],
    [{ words: { _submitted: true } }, true],
    [{ absent: { _submitted: true } }, false],
    [{ area: { _intersects: { type: 'Point', coordinates: [1, 2] } } }, false],
    [{ constructor: { _null: true } }, true],
  ])('%j: %s', (filter, expected) => {
    expect(match(filter)).toBe(expected);
  });

  it.each(operatorsIn('null', 'empty', 'equality', 'membership', 'order', 'text'))('decides %s', (operator) => {
    const operand = { none: true, scalar: '1', list: ['1'], pair: ['1', '2'], geometry: null }[operators[operator].operand];
    expect(matchCondition(operator, operators[operator].group === 'order' ? 'integer' : 'string', '1', operand)).not.toBeNull();
  });

  it('counts a relation without items as null', () => {
    expect(match({ orders: { _null: true } }, { orders: [] })).toBe(true);
    expect(match({ orders: { _nnull: true } }, { orders: [] })).toBe(false);
  });

  it('matches nothing by a list that came out empty', () => {
    const rule = parseRule({ title: { _nin: ['$CURRENT_ROLES'] } }, 'rule', defaultQueryLimits);
    expect(rule && matchFilter(rule.filter, [[null]], item, lookup)).toBe(false);
  });
});

describe('failedConditions', () => {
  function failures(filter: object, subject: Item) {
    const rule = parseRule(filter, 'validation', defaultQueryLimits);
    return rule === null
      ? []
      : failedConditions(rule.filter, { stored: rule.literals, resolved: rule.literals }, subject, lookup).map(
          (failed) => failedValidation(failed, null).extensions,
        );
  }

  it('names field, rule and what would be right', () => {
    const rule = {
      _and: [
        { words: { _gt: 1000 } },
        { title: { _contains: 'x', _nempty: true } },
        { active: { _neq: true } },
        { price: { _in: [1, 2] } },
      ],
    };
    expect(failures(rule, item)).toEqual([
      { field: 'words', path: [], type: 'gt', valid: 1000 },
      { field: 'title', path: [], type: 'contains', substring: 'x' },
      { field: 'active', path: [], type: 'neq', invalid: true },
      { field: 'price', path: [], type: 'in', valid: [1, 2] },
    ]);
  });

  it('does not check what was not sent, unless it had to be', () => {
    expect(failures({ words: { _gt: 1000 }, author: { name: 'x' } }, { title: 'a' })).toEqual([]);
    expect(failures({ words: { _submitted: true } }, { title: 'a' })).toEqual([{ field: 'words', path: [], type: 'required' }]);
  });

  it('reports nothing when one alternative holds, and all of them when none does', () => {
    expect(failures({ _or: [{ words: 1 }, { words: 800 }] }, item)).toEqual([]);
    expect(failures({ _or: [{ words: 1 }, { words: 2 }] }, item)).toHaveLength(2);
  });

  it('follows relations', () => {
    expect(failures({ author: { name: { _starts_with: 'B' } } }, item)).toEqual([
      { field: 'name', path: ['author'], type: 'starts_with', substring: 'B' },
    ]);
    expect(failures({ orders: { total: { _gt: 99 } } }, item)).toEqual([{ field: 'total', path: ['orders'], type: 'gt', valid: 99 }]);
    expect(failures({ orders: { _none: { total: 5 } } }, item)).toEqual([{ field: 'orders', path: [], type: 'null' }]);
    expect(failures({ orders: { total: 5 } }, { orders: [] })).toEqual([{ field: 'orders', path: [], type: 'nnull' }]);
  });

  it('has a message, or the message of the field', () => {
    expect(failedValidation({ field: 'a', path: [], operator: '_gt', operand: 5 }, null).message).toContain('"a"');
    expect(failedValidation({ field: 'a', path: [], operator: '_gt', operand: 5 }, 'Too small.').message).toBe('Too small.');
  });
});
