// Loads the tables that decide access, once per policy epoch, and derives views from them. Users are not part of it. The grants of a set
// of policies are compiled once and shared by all callers with the same set.

import { allGrants, type Grants } from '../../../core/access/permission.js';
import { makeView, type SchemaView } from '../../../core/access/view.js';
import type { Schema } from '../../../core/schema/schema.js';
import { groupBy } from '../../../core/util/group-by.js';
import { Lru } from '../../../core/util/lru.js';
import { bySort } from '../account.js';
import type { AuthContext } from '../auth-context.js';
import { byId, type PermissionRow, type Policy, policyColumns, readPolicy } from './access-rows.js';
import { appPermissionsIn } from './app-permissions.js';
import { compileGrants } from './compile-grants.js';
import { narrowHistory } from './narrow-history.js';
import type { AccessTables } from './policy-set.js';

export interface AccessSnapshot extends AccessTables {
  /** Whether any policy is limited to addresses; otherwise the address of a caller does not matter. */
  readonly limitsAddresses: boolean;
  viewOf(policies: readonly Policy[], schema: Schema): SchemaView;
}

/** Sends four statements, whatever the tables hold. */
export async function loadAccess({ driver, tables, system, options }: AuthContext): Promise<AccessSnapshot> {
  const [roles, policies, links, permissions] = await Promise.all([
    tables.roles.read(driver, ['id', 'parent']),
    tables.policies.read(driver, policyColumns),
    tables.access.read(driver, ['role', 'user', 'policy', 'sort'], { user: null }),
    tables.permissions.read(driver, 'all'),
  ]);
  const byPolicy = groupBy(permissions, (row) => row.policy);
  const rowsOf = (policy: Policy): readonly PermissionRow[] => byPolicy.get(policy.id) ?? [];
  const ofApp = appPermissionsIn(system);
  const allPolicies = policies.map(readPolicy);
  return {
    roles: byId(roles),
    policies: byId(allPolicies),
    links: links.toSorted(bySort),
    limitsAddresses: allPolicies.some((policy) => policy.addresses.length > 0),
    viewOf: shareViews((chosen) => {
      if (chosen.some((policy) => policy.admin)) return allGrants;
      const app = chosen.some((policy) => policy.app) ? ofApp : [];
      return compileGrants([...app, ...chosen.flatMap(rowsOf)], options.queryLimits);
    }),
  };
}

/** Sets of policies whose views are kept; administrators may view as any set. */
const maxViews = 1000;

/** Makes one view per set of policies. When the schema changes, a new view is made of the same grants. */
function shareViews(compile: (policies: readonly Policy[]) => Grants): AccessSnapshot['viewOf'] {
  const views = new Lru<string, SchemaView & { readonly compiled: Grants }>(maxViews);
  /** By identity of the list: the authenticator passes the same list again for the same caller. */
  const latest = new WeakMap<readonly Policy[], SchemaView>();
  const find = (policies: readonly Policy[], schema: Schema): SchemaView => {
    const key = policies.map((policy) => policy.id).join(' ');
    const known = views.get(key);
    if (known?.schema === schema) return known;
    const compiled = known?.compiled ?? compile(policies);
    const view = { compiled, ...makeView(schema, narrowHistory(compiled, schema)) };
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
