// Roles, policies, their links and permissions in the form in which access is computed.

import { listOf } from '../../../core/schema/meta-row.js';
import type { RowOf } from '../../../core/schema/system-definition.js';
import type { roles } from '../../definitions/accounts.js';
import type { access, permissions, policies } from '../../definitions/permissions.js';

export type Role = Pick<RowOf<typeof roles>, 'id' | 'parent'>;

export interface Policy {
  readonly id: string;
  readonly admin: boolean;
  readonly app: boolean;
  readonly enforceTfa: boolean;
  /** The addresses from which the policy applies; empty means all. */
  readonly addresses: readonly string[];
}

/** A policy linked to a role, to a user, or (both null) to the public. */
export type PolicyLink = Pick<RowOf<typeof access>, 'role' | 'user' | 'policy'>;

/** A permission as stored. Its rules are parsed when grants are compiled. */
export type PermissionRow = Pick<
  RowOf<typeof permissions>,
  'collection' | 'action' | 'permissions' | 'validation' | 'presets' | 'fields'
> & { readonly id?: number };

export const policyColumns = ['id', 'admin_access', 'app_access', 'enforce_tfa', 'ip_access'] as const;

type PolicyRow = Pick<RowOf<typeof policies>, (typeof policyColumns)[number]>;

export const byId = <T extends { readonly id: string }>(items: readonly T[]): ReadonlyMap<string, T> =>
  new Map(items.map((item) => [item.id, item]));

export const readPolicy = (row: PolicyRow): Policy => ({
  id: row.id,
  admin: row.admin_access,
  app: row.app_access || row.admin_access,
  enforceTfa: row.enforce_tfa,
  addresses: listOf(row, 'ip_access'),
});
