// Which policies a caller has: those of the role and its parents and those of the user, or the public ones for whoever has no role;
// without those whose allow-list does not name the caller's address.

import type { Policy, PolicyLink, Role } from './access-rows.js';
import { isListedAddress } from './address-list.js';

export interface AccessTables {
  readonly roles: ReadonlyMap<string, Role>;
  readonly policies: ReadonlyMap<string, Policy>;
  /** Links of roles and of the public, in their order; those of users are read with the user. */
  readonly links: readonly PolicyLink[];
}

export interface PolicySet {
  /** Own role first, then its parents upwards. */
  readonly roles: readonly string[];
  /** In the order in which presets are laid over one another: parent, role, user. */
  readonly policies: readonly Policy[];
  /** There are policies of the caller's own (not the public ones), and the address is on the list of none of them. */
  readonly excluded: boolean;
}

export interface PolicyOwner {
  readonly role: string | null;
  /** Policies tied to the user. */
  readonly own: readonly string[];
  readonly ip: string | null;
}

export function choosePolicies(tables: AccessTables, owner: PolicyOwner): PolicySet {
  const roles = roleAndParents(tables.roles, owner.role);
  const isOpen = (policy: Policy): boolean => policy.addresses.length === 0 || isListedAddress(policy.addresses, owner.ip);
  const known = (ids: readonly string[]): readonly Policy[] => [...new Set(ids)].flatMap((id) => tables.policies.get(id) ?? []);
  const mine = known([...inherited(tables.links, roles), ...owner.own]);
  const open = known([...(roles.length === 0 ? publicPolicies(tables.links) : []), ...mine.map((policy) => policy.id)]).filter(isOpen);
  return { roles, policies: open, excluded: mine.length > 0 && !mine.some(isOpen) };
}

/** A circle in the parents, which no write lets in, ends where it closes. */
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
