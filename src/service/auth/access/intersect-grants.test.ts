import { describe, expect, it } from 'vitest';
import { allGrants, type Grants } from '../../../core/access/permission.js';
import { defaultQueryLimits } from '../../../core/query/query.js';
import { compileGrants } from './compile-grants.js';
import { grantsWithin, intersectGrants } from './intersect-grants.js';

const row = (details: Readonly<Record<string, unknown>>) => ({
  ...{ collection: 'articles', action: 'read', fields: ['*'], permissions: null, validation: null, presets: null },
  ...details,
});
const compile = (...rows: readonly Readonly<Record<string, unknown>>[]): Grants => compileGrants(rows.map(row), defaultQueryLimits);
const readOf = (grants: Grants) => grants.byCollection.get('articles')?.read ?? [];

describe('what two sets of permissions both allow', () => {
  it('is the other one where one allows everything', () => {
    const some = compile({});
    expect(intersectGrants(allGrants, some)).toBe(some);
    expect(intersectGrants(some, allGrants)).toBe(some);
    expect(intersectGrants(allGrants, allGrants)).toBe(allGrants);
  });

  it('has the collections and actions of both', () => {
    const one = compile({}, { action: 'update' }, { collection: 'authors' });
    const other = compile({}, { action: 'delete' }, { collection: 'pages' });
    const both = intersectGrants(one, other);
    expect([...both.byCollection].map(([name, granted]) => [name, Object.keys(granted)])).toEqual([['articles', ['read']]]);
    expect(both.admin).toBe(false);
  });

  it('pairs every permission with every other: fields of both, rules of both, literals apart', () => {
    const one = compile({ fields: ['id', 'title'], permissions: { owner: { _eq: 'ann' } } }, { fields: ['*'] });
    const other = compile({ fields: ['title', 'price'], permissions: { author: { _some: { name: { _eq: 'bob' } } } } }, { fields: ['id'] });
    const pairs = readOf(intersectGrants(one, other));
    expect(pairs.map(({ fields }) => [...fields])).toEqual([['title'], ['id'], ['title', 'price'], ['id']]);
    expect(pairs.map(({ rule }) => rule?.literals ?? null)).toEqual([['ann', 'bob'], ['ann'], ['bob'], null]);
    expect(pairs[0]?.rule?.filter).toMatchObject({
      kind: 'and',
      filters: [
        { kind: 'compare', slot: 0 },
        { kind: 'related', filter: { kind: 'compare', slot: 1 } },
      ],
    });
  });

  it('moves every operand of a rule, and none of what takes none', () => {
    const one = compile({ permissions: { a: { _between: [1, 2] } } });
    const other = compile({
      permissions: { _or: [{ b: { _null: true } }, { c: { _in: [3] } }, { _and: [{ d: { _gt: 4 } }, { e: { _lt: 5 } }] }] },
    });
    const [pair] = readOf(intersectGrants(one, other));
    const [alone] = readOf(other);
    const shift = readOf(one)[0]?.rule?.literals.length ?? 0;
    const slots = (part: unknown): readonly unknown[] =>
      [...JSON.stringify(part).matchAll(/"slot":(\d+)/g)].map(([, slot]) => Number(slot));
    const before = slots(alone?.rule?.filter);
    expect(before.length).toBeGreaterThan(2);
    expect(slots(pair?.rule?.filter).slice(-before.length)).toEqual(before.map((slot) => Number(slot) + shift));
    expect(pair?.rule?.literals.slice(shift)).toEqual(alone?.rule?.literals);
  });

  it('keeps each validation once, and the presets of the first before those of the second', () => {
    const one = compile(
      { action: 'create', validation: { title: { _nnull: true } }, presets: { owner: 'ann' } },
      { action: 'create', validation: { price: { _gt: 0 } } },
    );
    const other = compile(
      { action: 'create', validation: { kind: { _eq: 'a' } }, presets: { owner: 'bob', kind: 'a' } },
      { action: 'create' },
    );
    const pairs = intersectGrants(one, other).byCollection.get('articles')?.create ?? [];
    expect(pairs.map(({ validation }) => validation?.literals.length ?? null)).toEqual([1, null, 1, null]);
    expect(pairs[0]?.validation?.filter).toMatchObject({ kind: 'and' });
    for (const { presets } of pairs) expect(presets).toEqual({ owner: 'ann', kind: 'a' });
  });

  it('within collections is everything in them', () => {
    expect(grantsWithin(null)).toBe(allGrants);
    const within = intersectGrants(compile({ fields: ['id'] }, { collection: 'authors' }), grantsWithin(['articles', 'pages']));
    expect([...within.byCollection.keys()]).toEqual(['articles']);
    expect(readOf(within)).toMatchObject([{ fields: new Set(['id']), rule: null }]);
    expect(grantsWithin(['a', 'b c']).key).not.toBe(grantsWithin(['a b', 'c']).key);
  });
});
