// Chooses the policies of a caller: those of the role and its parents and those of the user, plus the public ones for a caller without a
// role; without those whose allow-list does not cover the caller's address.

import type { Policy, PolicyLink, Role } from './access-rows.js';
import { isListedAddress } from './address-list.js';

export interface AccessTables {
  readonly roles: ReadonlyMap<string, Role>;
  readonly policies: ReadonlyMap<string, Policy>;
  /** Links of roles and of the public, in their order. Links of a user are read with the user. */
  readonly links: readonly PolicyLink[];
}

export interface PolicySet {
  /** The caller's role first, then its parents upwards. */
  readonly roles: readonly string[];
  /** In the order in which later presets override earlier ones: parent, role, user. */
  readonly policies: readonly Policy[];
  /** True when the caller has policies other than the public ones and none of them covers the address. */
  readonly excluded: boolean;
}

export interface PolicyOwner {
  readonly role: string | null;
  /** Policies linked to the user directly. */
  readonly own: readonly string[];
  readonly ip: string | null;
  /** Allow-lists of addresses do not count: for explaining what another user may do. */
  readonly anywhere?: boolean;
}

export function choosePolicies(tables: AccessTables, owner: PolicyOwner): PolicySet {
  const roles = roleAndParents(tables.roles, owner.role);
  const isOpen = (policy: Policy): boolean =>
    owner.anywhere === true || policy.addresses.length === 0 || isListedAddress(policy.addresses, owner.ip);
  const known = (ids: readonly string[]): readonly Policy[] => [...new Set(ids)].flatMap((id) => tables.policies.get(id) ?? []);
  const mine = known([...inherited(tables.links, roles), ...owner.own]);
  const open = known([...(roles.length === 0 ? publicPolicies(tables.links) : []), ...mine.map((policy) => policy.id)]).filter(isOpen);
  return { roles, policies: open, excluded: mine.length > 0 && !mine.some(isOpen) };
}

/** Stops at a cycle of parents, which only a write past the service can create. */
export function roleAndParents(roles: ReadonlyMap<string, Role>, role: string | null): readonly string[] {
  const found = new Set<string>();
  for (let at = role; at !== null && !found.has(at); ) {
    const next = roles.get(at);
    if (next === undefined) break;
    found.add(at);
    at = next.parent;
  }
  return [...found];
}

const inherited = (links: readonly PolicyLink[], roles: readonly string[]): readonly string[] =>
  [...roles].reverse().flatMap((role) => links.filter((link) => link.user === null && link.role === role).map((link) => link.policy));

const publicPolicies = (links: readonly PolicyLink[]): readonly string[] =>
  links.filter((link) => link.user === null && link.role === null).map((link) => link.policy);
