// Permission rows of a set of policies into Grants. A stored rule that cannot be read matches nothing: it must neither stop the
// service nor open what it was meant to guard.

import { type Action, actions, type Grant, type Grants, type Permission, type Rule } from '../../core/access/permission.js';
import { ServiceError } from '../../core/errors/service-error.js';
import { parseRule } from '../../core/query/parse-rule.js';
import type { QueryLimits } from '../../core/query/query.js';
import { listOf, textOf } from '../../core/schema/meta-row.js';
import { digestToken } from '../secrets/token-digest.js';
import type { PermissionRow } from './access-rows.js';
import { narrowHistory } from './narrow-history.js';

type CollectionGrants = Partial<Record<Action, Grant>>;

/** Rows in policy order. Equal rows give an equal key, whenever they were read: plans made for them stay good. */
export function compileGrants(rows: readonly PermissionRow[], limits: QueryLimits): Grants {
  const byCollection = new Map<string, CollectionGrants>();
  for (const row of rows) {
    const permission = readPermission(row, limits);
    if (permission === null) continue;
    const grants = byCollection.get(permission.collection) ?? {};
    byCollection.set(permission.collection, { ...grants, [permission.action]: [...(grants[permission.action] ?? []), permission] });
  }
  return { key: grantsKey(rows), admin: false, byCollection: narrowHistory(byCollection) };
}

const meaningful = ['collection', 'action', 'permissions', 'validation', 'presets', 'fields'] as const;

const grantsKey = (rows: readonly PermissionRow[]): string =>
  digestToken(JSON.stringify(rows.map((row) => meaningful.map((key) => row[key] ?? null)))).slice(0, 32);

function readPermission(row: PermissionRow, limits: QueryLimits): Permission | null {
  const collection = textOf(row, 'collection');
  const action = actions.find((name) => name === row['action']);
  if (collection === null || action === undefined) return null;
  return {
    collection,
    action,
    rule: readRule(row['permissions'], 'rule', limits),
    validation: readRule(row['validation'], 'validation', limits),
    presets: readPresets(row['presets']),
    fields: readFields(row),
  };
}

const nothing: Rule = { filter: { kind: 'or', filters: [] }, literals: [] };

function readRule(stored: unknown, use: 'rule' | 'validation', limits: QueryLimits): Rule | null {
  if (stored === null || stored === undefined) return null;
  try {
    return parseRule(stored, use, limits);
  } catch (error) {
    if (error instanceof ServiceError) return nothing;
    throw error;
  }
}

const readPresets = (stored: unknown): Permission['presets'] =>
  typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? { ...stored } : null;

function readFields(row: PermissionRow): Permission['fields'] {
  const names = listOf(row, 'fields');
  return names.includes('*') ? '*' : new Set(names);
}
