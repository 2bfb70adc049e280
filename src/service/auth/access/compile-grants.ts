// Compiles the permission rows of a set of policies into Grants. A stored rule that cannot be parsed matches no item: it must neither stop
// the service nor open what it protects.

import { type Action, actions, type Grant, type Grants, type Permission, type Rule } from '../../../core/access/permission.js';
import { ServiceError } from '../../../core/errors/service-error.js';
import { parseRule } from '../../../core/query/parse/parse-rule.js';
import type { QueryLimits } from '../../../core/query/query.js';
import { listOf } from '../../../core/schema/meta-row.js';
import { isPlainObject } from '../../../core/util/plain-object.js';
import { digestToken } from '../../secrets/token.js';
import type { PermissionRow } from './access-rows.js';

type CollectionGrants = Partial<Record<Action, Grant>>;

/** Takes rows in the order of their policies. Equal rows give an equal key, so that cached plans stay valid when the rows are read again. */
export function compileGrants(rows: readonly PermissionRow[], limits: QueryLimits): Grants {
  const byCollection = new Map<string, CollectionGrants>();
  for (const row of rows) {
    const permission = readPermission(row, limits);
    if (permission === null) continue;
    const grants = byCollection.get(permission.collection) ?? {};
    byCollection.set(permission.collection, { ...grants, [permission.action]: [...(grants[permission.action] ?? []), permission] });
  }
  return { key: grantsKey(rows), admin: false, byCollection };
}

const meaningful = ['collection', 'action', 'permissions', 'validation', 'presets', 'fields'] as const;

const grantsKey = (rows: readonly PermissionRow[]): string =>
  digestToken(JSON.stringify(rows.map((row) => meaningful.map((key) => row[key] ?? null)))).slice(0, 32);

/** null for an action that this version does not know. */
function readPermission(row: PermissionRow, limits: QueryLimits): Permission | null {
  const action = actions.find((name) => name === row.action);
  if (action === undefined) return null;
  return {
    ...(row.id === undefined ? {} : { id: row.id }),
    collection: row.collection,
    action,
    rule: readRule(row.permissions, 'rule', limits),
    validation: readRule(row.validation, 'validation', limits),
    presets: readPresets(row.presets),
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

const readPresets = (stored: unknown): Permission['presets'] => (isPlainObject(stored) ? { ...stored } : null);

function readFields(row: PermissionRow): Permission['fields'] {
  const names = listOf(row, 'fields');
  return names.includes('*') ? '*' : new Set(names);
}
