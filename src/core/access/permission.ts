// Permissions as parsed from the rows of service_permissions: what a set of policies allows per collection and action.

import type { Filter } from '../query/query.js';

export const actions = ['create', 'read', 'update', 'delete', 'share'] as const;
export type Action = (typeof actions)[number];

/** A stored filter with literals of its own. They may contain dynamic values such as `$CURRENT_USER`, which are resolved per request. */
export interface Rule {
  readonly filter: Filter;
  readonly literals: readonly unknown[];
}

export interface Permission {
  /** The key of its stored row; absent for a permission that app access or a share brings. */
  readonly id?: number;
  readonly collection: string;
  readonly action: Action;
  /** null: every item. */
  readonly rule: Rule | null;
  readonly validation: Rule | null;
  readonly presets: Readonly<Record<string, unknown>> | null;
  /** '*': every field. */
  readonly fields: ReadonlySet<string> | '*';
}

/**
 * The permissions of several policies for one collection and action; their union applies per item. Ordered by parent role, role, user, so
 * that later presets win. Never empty.
 */
export type Grant = readonly Permission[];

export interface Grants {
  /** The identity in cache keys, made of the policies and their epoch. Equal keys mean equal grants. */
  readonly key: string;
  /** Allows everything, without rules. */
  readonly admin: boolean;
  readonly byCollection: ReadonlyMap<string, Readonly<Partial<Record<Action, Grant>>>>;
}

export const allGrants: Grants = { key: 'all', admin: true, byCollection: new Map() };
export const noGrants: Grants = { key: 'none', admin: false, byCollection: new Map() };
