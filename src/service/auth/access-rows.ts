// The rows that rule access, as stored: roles, policies, who has which, and what they allow. Values come from a database and may be
// anything; what cannot be read grants nothing.

import { listOf, type MetaRow, textOf } from '../../core/schema/meta-row.js';

export interface Role {
  readonly id: string;
  readonly parent: string | null;
}

export interface Policy {
  readonly id: string;
  readonly admin: boolean;
  readonly app: boolean;
  readonly enforceTfa: boolean;
  /** Empty: every address. */
  readonly addresses: readonly string[];
}

/** A policy tied to a role, to a user, or (both null) to the public. */
export interface PolicyLink {
  readonly role: string | null;
  readonly user: string | null;
  readonly policy: string;
}

/** A row of service_permissions; the rules are parsed when grants are compiled. */
export type PermissionRow = MetaRow;

export const readRole = (row: MetaRow): Role => ({ id: String(row['id']), parent: textOf(row, 'parent') });

export const readPolicy = (row: MetaRow): Policy => ({
  id: String(row['id']),
  admin: row['admin_access'] === true,
  app: row['app_access'] === true || row['admin_access'] === true,
  enforceTfa: row['enforce_tfa'] === true,
  addresses: listOf(row, 'ip_access'),
});

export const readPolicyLink = (row: MetaRow): PolicyLink => ({
  role: textOf(row, 'role'),
  user: textOf(row, 'user'),
  policy: String(row['policy']),
});
