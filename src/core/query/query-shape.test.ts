import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQueryObject } from './parse/parse-query-object.js';
import { defaultQueryLimits, type ParsedQuery, type Selection } from './query.js';
import { shapeOf } from './query-shape.js';

const parse = (query: object): ParsedQuery => parseQueryObject(query, defaultQueryLimits);
const shape = (query: object): string => shapeOf(parse(query).query);

describe('shapeOf', () => {
  it('leaves values out and keeps everything else', () => {
    const queries = [
      {},
      { fields: 'a' },
      { fields: 'b' },
      { fields: 'a,b' },
      { fields: 'a.b' },
      { fields: '*' },
      { fields: '*.*' },
      { fields: 'year(a)' },
      { fields: 'a:b.c' },
      { fields: 'x', alias: { x: 'a' } },
      { fields: 'json(a,b)' },
      { fields: 'json(a,c)' },
      { filter: { a: 1 } },
      { filter: { a: { _gt: 1 } } },
      { filter: { a: { b: 1 } } },
      { filter: { a: { _none: { b: 1 } } } },
      { filter: { _or: [{ a: 1 }, { b: 1 }] } },
      { filter: { _and: [{ a: 1 }, { b: 1 }] } },
      { filter: { a: { _json: { b: 1 } } } },
      { filter: { a: { _null: true } } },
      { sort: 'a' },
      { sort: '-a' },
      { sort: 'a.b' },
      { sort: 'a,b' },
      { limit: 1 },
      { limit: 2 },
      { offset: 1 },
      { search: 'x' },
      { aggregate: { count: '*' } },
      { aggregate: { count: 'a' } },
      { aggregate: { sum: 'a' } },
      { groupBy: 'a' },
      { having: { count: { _gt: 1 } } },
      { deep: { a: { _limit: 1 } } },
      { deep: { a: { _limit: 2 } } },
      { deep: { a: { b: { _limit: 1 } } } },
      { backlink: false },
    ];
    expect(new Set(queries.map(shape)).size).toBe(queries.length);
    expect(shape({ filter: { a: { _in: [1, 2] } }, offset: 5, search: 'x' })).toBe(
      shape({ filter: { a: { _in: ['z'] } }, offset: 9, search: 'y' }),
    );
  });

  it('distinguishes what only another door selects', () => {
    const { query } = parse({ fields: 'a' });
    const [a] = query.fields;
    if (a?.kind !== 'field') throw new Error('no field');
    const selections: readonly (readonly Selection[])[] = [
      [a],
      [{ ...a, cast: 'string' }],
      [{ ...a, cast: 'number' }],
      [{ kind: 'typename', as: 'a' }],
      [{ kind: 'typename', as: 'a', name: 'b' }],
      [{ kind: 'object', as: 'a', children: [a] }],
      [{ kind: 'nothing' }],
      [],
    ];
    expect(new Set(selections.map((fields) => shapeOf({ ...query, fields }))).size).toBe(selections.length);
  });

  it('distinguishes names with any characters', () => {
    const name = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('a', ';', '[', ']', '5', '_', '=', '@', '|', '%') });
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.array(name, { minLength: 1, maxLength: 4 }), (left, right) => {
        const [a, b] = [parse({ fields: left }).query, parse({ fields: right }).query];
        expect(shapeOf(a) === shapeOf(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });
});
