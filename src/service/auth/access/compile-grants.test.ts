import { describe, expect, it } from 'vitest';
import { defaultQueryLimits } from '../../../core/query/query.js';
import { appPermissions } from './app-permissions.js';
import { compileGrants } from './compile-grants.js';

const row = (details: Readonly<Record<string, unknown>>) => ({
  collection: 'articles',
  action: 'read',
  fields: ['*'],
  permissions: null,
  validation: null,
  presets: null,
  ...details,
});
const compile = (...rows: readonly Readonly<Record<string, unknown>>[]) => compileGrants(rows.map(row), defaultQueryLimits);
const readGrant = (...rows: readonly Readonly<Record<string, unknown>>[]) => compile(...rows).byCollection.get('articles')?.read;

const nothing = { filter: { kind: 'or', filters: [] }, literals: [] };

describe('grants', () => {
  it('join the permissions of several policies on one action', () => {
    const grant = readGrant({ fields: ['id', 'title'], permissions: { owner: { _eq: '$CURRENT_USER' } } }, { fields: ['id', ' secret'] });
    expect(grant).toHaveLength(2);
    expect(grant?.[0]).toMatchObject({ fields: new Set(['id', 'title']), rule: { literals: ['$CURRENT_USER'] } });
    expect(grant?.[1]).toMatchObject({ fields: new Set(['id', 'secret']), rule: null });
  });

  it('an empty rule is every item, an empty `_or` is none', () => {
    expect(readGrant({ permissions: {} })?.[0]?.rule).toBeNull();
    expect(readGrant({ permissions: { _and: [] } })?.[0]?.rule).toBeNull();
    expect(readGrant({ permissions: { _or: [] } })?.[0]?.rule).toEqual(nothing);
  });

  it.each([[{ title: { _magic: 1 } }], ['{"title"'], [7], [[1]], [{ _or: 'x' }]])(
    'a rule that cannot be parsed matches nothing: %j',
    (permissions) => {
      expect(readGrant({ permissions })?.[0]?.rule).toEqual(nothing);
    },
  );

  it('no field list is no field, `*` is every field', () => {
    expect(readGrant({ fields: null })?.[0]?.fields).toEqual(new Set());
    expect(readGrant({ fields: ['id', '*'] })?.[0]?.fields).toBe('*');
  });

  it('a row with an unknown action grants nothing', () => {
    expect(compile({ action: 'drop' }).byCollection.size).toBe(0);
  });

  it('have equal keys exactly when their permissions are equal', () => {
    const one = compile({ id: 1, permissions: { a: { _eq: 1 } } }).key;
    expect(compile({ id: 2, permissions: { a: { _eq: 1 } } }).key).toBe(one);
    expect(compile({ id: 1, permissions: { a: { _eq: 2 } } }).key).not.toBe(one);
    expect(compile({ id: 1, permissions: { a: { _eq: 1 } }, presets: { x: 1 } }).key).not.toBe(one);
  });

  it('app access: all its rules can be parsed; B01: it lets no user change their own rank', () => {
    const grants = compileGrants(appPermissions, defaultQueryLimits);
    const permissions = [...grants.byCollection.values()].flatMap((byAction) => Object.values(byAction).flat());
    expect(permissions).toHaveLength(appPermissions.length);
    for (const { rule, validation } of permissions) expect([rule, validation]).not.toContainEqual(nothing);
    // Not even the own account: which of its fields may be changed is for a policy to say.
    expect(grants.byCollection.get('service_users')?.update).toBeUndefined();
  });
});
