// Permissions as rows of service_permissions say them, parsed: what a set of policies allows per collection and action.

import type { Filter } from '../query/query.js';

export const actions = ['create', 'read', 'update', 'delete', 'share'] as const;
export type Action = (typeof actions)[number];

/** A rule keeps its own literals; `$CURRENT_USER` and its kin stand in them and are resolved per request. */
export interface Rule {
  readonly filter: Filter;
  readonly literals: readonly unknown[];
}

export interface Permission {
  readonly collection: string;
  readonly action: Action;
  /** null: every item. */
  readonly rule: Rule | null;
  readonly validation: Rule | null;
  readonly presets: Readonly<Record<string, unknown>> | null;
  /** '*': every field. */
  readonly fields: ReadonlySet<string> | '*';
}

/** Several policies are a union per item. Order: parent role, role, user (later presets win). Never empty. */
export type Grant = readonly Permission[];

export interface Grants {
  /** Identity for cache keys: policy set + epoch. Equal keys mean equal grants. */
  readonly key: string;
  /** Everything, without rules. */
  readonly admin: boolean;
  readonly byCollection: ReadonlyMap<string, Readonly<Partial<Record<Action, Grant>>>>;
}

export const allGrants: Grants = { key: 'all', admin: true, byCollection: new Map() };
export const noGrants: Grants = { key: 'none', admin: false, byCollection: new Map() };
