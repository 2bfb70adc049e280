// From policies to grants. Everything but users is read whole, once per policy epoch; the grants of a set of policies are compiled
// once and shared by everybody who has the same.

import { allGrants, type Grants } from '../../core/access/permission.js';
import { makeView, type SchemaView } from '../../core/access/view.js';
import type { Schema } from '../../core/schema/schema.js';
import { type PermissionRow, type Policy, readPolicy, readPolicyLink, readRole } from './access-rows.js';
import { bySort } from './account.js';
import { appPermissions } from './app-permissions.js';
import type { AuthContext } from './auth-context.js';
import { compileGrants } from './compile-grants.js';
import type { AccessTables } from './policy-set.js';

export interface AccessSnapshot extends AccessTables {
  /** Whether any policy asks for addresses; if none does, nobody's address matters. */
  readonly asksForAddress: boolean;
  viewOf(policies: readonly Policy[], schema: Schema): SchemaView;
}

/** Four statements, whatever the tables hold. */
export async function loadAccess({ driver, tables, options }: AuthContext): Promise<AccessSnapshot> {
  const [roles, policies, links, permissions] = await Promise.all([
    tables.roles.read(driver, ['id', 'parent']),
    tables.policies.read(driver, ['id', 'admin_access', 'app_access', 'enforce_tfa', 'ip_access']),
    tables.access.read(driver, ['role', 'user', 'policy', 'sort'], { user: null }),
    tables.permissions.read(driver, 'all'),
  ]);
  const byPolicy = groupByPolicy(permissions);
  const rowsOf = (policy: Policy): readonly PermissionRow[] => byPolicy.get(policy.id) ?? [];
  const allPolicies = policies.map(readPolicy);
  return {
    roles: byId(roles.map(readRole)),
    policies: byId(allPolicies),
    links: links.toSorted(bySort).map(readPolicyLink),
    asksForAddress: allPolicies.some((policy) => policy.addresses.length > 0),
    viewOf: shareViews((chosen) => {
      if (chosen.some((policy) => policy.admin)) return allGrants;
      const app = chosen.some((policy) => policy.app) ? appPermissions : [];
      return compileGrants([...app, ...chosen.flatMap(rowsOf)], options.queryLimits);
    }),
  };
}

const byId = <T extends { readonly id: string }>(items: readonly T[]): ReadonlyMap<string, T> =>
  new Map(items.map((item) => [item.id, item]));

function groupByPolicy(rows: readonly PermissionRow[]): ReadonlyMap<unknown, readonly PermissionRow[]> {
  const groups = new Map<unknown, PermissionRow[]>();
  for (const row of rows) {
    const group = groups.get(row['policy']);
    if (group === undefined) groups.set(row['policy'], [row]);
    else group.push(row);
  }
  return groups;
}

/** One view for each set of policies; when the schema is another one, the same grants are laid over it. */
function shareViews(compile: (policies: readonly Policy[]) => Grants): AccessSnapshot['viewOf'] {
  const views = new Map<string, SchemaView>();
  /** By the list itself: the same caller brings the same one again. */
  const latest = new WeakMap<readonly Policy[], SchemaView>();
  const find = (policies: readonly Policy[], schema: Schema): SchemaView => {
    const key = policies.map((policy) => policy.id).join(' ');
    const known = views.get(key);
    if (known?.schema === schema) return known;
    const view = makeView(schema, known?.grants ?? compile(policies));
    views.set(key, view);
    return view;
  };
  return (policies, schema) => {
    const known = latest.get(policies);
    if (known?.schema === schema) return known;
    const view = find(policies, schema);
    latest.set(policies, view);
    return view;
  };
}
