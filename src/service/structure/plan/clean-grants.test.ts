import { describe, expect, it } from 'vitest';
import { structureState } from '../../../../test/fixtures/structure-state.js';
import { cleanGrants } from './clean-grants.js';

/** What becomes of one permission when a field is deleted. */
const cleaned = (permission: object, collection: string, field: string): readonly unknown[] =>
  cleanGrants(structureState([{ id: 1, ...permission }]), collection, field);

const deleted = [{ kind: 'delete', collection: 'service_permissions', where: { id: 1 } }];
const updated = (set: object) => [{ kind: 'update', collection: 'service_permissions', set, where: { id: 1 } }];

describe('a permission whose rule refers to the deleted field is deleted', () => {
  it.each([
    [{ status: { _eq: 'x' } }, 'articles', 'articles', 'status'],
    [{ _and: [{ _or: [{ status: { _null: true } }] }] }, 'articles', 'articles', 'status'],
    [{ 'year(made)': { _gt: 2000 } }, 'articles', 'articles', 'made'],
    [{ author: { name: { _eq: 'x' } } }, 'articles', 'authors', 'name'],
    [{ articles: { _some: { status: { _eq: 'x' } } } }, 'authors', 'articles', 'status'],
    [{ 'item:pages': { title: { _eq: 'x' } } }, 'blocks', 'pages', 'title'],
  ])('%j on %s: %s.%s', (filter, on, collection, field) => {
    expect(cleaned({ collection: on, permissions: filter }, collection, field)).toEqual(deleted);
    expect(cleaned({ collection: on, validation: filter }, collection, field)).toEqual(deleted);
  });

  it.each([
    [null, 'articles', 'articles', 'status'],
    [{ title: { _eq: 'status' } }, 'articles', 'articles', 'status'],
    [{ author: { name: { _eq: 'x' } } }, 'articles', 'articles', 'name'],
    [{ name: { _eq: 'x' } }, 'tags', 'authors', 'name'],
  ])('but not %j on %s: %s.%s', (filter, on, collection, field) => {
    expect(cleaned({ collection: on, permissions: filter }, collection, field)).toEqual([]);
  });
});

describe('a permission that lists the deleted field', () => {
  it('loses it from its fields and presets', () => {
    const permission = { collection: 'articles', fields: 'title,status', presets: { status: 'draft', title: 'x' } };
    expect(cleaned(permission, 'articles', 'status')).toEqual(updated({ fields: 'title', presets: { title: 'x' } }));
  });

  it('grants no field when it listed only this one', () => {
    expect(cleaned({ collection: 'articles', fields: ['status'] }, 'articles', 'status')).toEqual(updated({ fields: null }));
  });

  it('of another collection stays', () => {
    expect(cleaned({ collection: 'tags', fields: 'name' }, 'authors', 'name')).toEqual([]);
  });
});
