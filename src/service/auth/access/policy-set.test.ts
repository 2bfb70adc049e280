import { describe, expect, it } from 'vitest';
import type { Policy, PolicyLink } from './access-rows.js';
import { type AccessTables, choosePolicies, roleAndParents } from './policy-set.js';

const policy = (id: string, addresses: readonly string[] = []): Policy => ({ id, addresses, admin: false, app: false, enforceTfa: false });
const link = (policyId: string, role: string | null, user: string | null = null): PolicyLink => ({ policy: policyId, role, user });
const byId = <T extends { readonly id: string }>(items: readonly T[]) => new Map(items.map((item) => [item.id, item]));

const tables: AccessTables = {
  roles: byId([
    { id: 'child', parent: 'parent' },
    { id: 'parent', parent: null },
    { id: 'left', parent: 'right' },
    { id: 'right', parent: 'left' },
  ]),
  policies: byId([
    policy('public'),
    policy('p-child'),
    policy('p-parent'),
    policy('p-user'),
    policy('office', ['10.0.0.0/8']),
    policy('home', ['192.168.1.0/24']),
  ]),
  links: [link('public', null), link('p-child', 'child'), link('p-parent', 'parent'), link('office', 'right')],
};

const choose = (role: string | null, own: readonly string[] = [], ip = '10.1.1.1') => {
  const { policies, ...rest } = choosePolicies(tables, { role, own, ip });
  return { ...rest, policies: policies.map(({ id }) => id) };
};

describe('the policies of a caller', () => {
  it('are those of parents, of the role and of the user, in this order', () => {
    expect(choose('child', ['p-user'])).toEqual({
      roles: ['child', 'parent'],
      policies: ['p-parent', 'p-child', 'p-user'],
      excluded: false,
    });
    expect(choose('parent')).toEqual({ roles: ['parent'], policies: ['p-parent'], excluded: false });
  });

  it('are the public ones for a caller without a role, besides those of the user', () => {
    expect(choose(null)).toEqual({ roles: [], policies: ['public'], excluded: false });
    expect(choose(null, ['p-user']).policies).toEqual(['public', 'p-user']);
    expect(choose('gone').policies).toEqual(['public']);
  });

  it('count once, and only if they exist', () => {
    expect(choose('parent', ['p-parent', 'nowhere']).policies).toEqual(['p-parent']);
  });

  it('a cycle of parents ends', () => {
    expect(roleAndParents(tables.roles, 'left')).toEqual(['left', 'right']);
  });

  it('C21: exclude policies whose list does not cover the address, and report when none is left', () => {
    expect(choose('left', ['home'])).toEqual({ roles: ['left', 'right'], policies: ['office'], excluded: false });
    expect(choose('left', ['home'], '8.8.8.8')).toEqual({ roles: ['left', 'right'], policies: [], excluded: true });
    expect(choose(null, ['home'], '8.8.8.8')).toEqual({ roles: [], policies: ['public'], excluded: true });
    expect(choose('left', [], '::ffff:10.9.9.9').policies).toEqual(['office']);
  });
});
