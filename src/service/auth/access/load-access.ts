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
import { grantsWithin, intersectGrants } from './intersect-grants.js';
import { narrowHistory } from './narrow-history.js';
import type { AccessTables } from './policy-set.js';

export interface AccessSnapshot extends AccessTables {
  /** Whether any policy is limited to addresses; otherwise the address of a caller does not matter. */
  readonly limitsAddresses: boolean;
  /** The same list of policies always has the same bounds. */
  viewOf(policies: readonly Policy[], schema: Schema, bounds?: Bounds): SchemaView;
}

/** What an access key leaves of the rights of its user. */
export interface Bounds {
  /** null: all that the user may do. */
  readonly policy: Policy | null;
  /** null: all collections. */
  readonly collections: readonly string[] | null;
}

export const unbounded: Bounds = { policy: null, collections: null };

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
  const compile = (chosen: readonly Policy[]): Grants => {
    if (chosen.some((policy) => policy.admin)) return allGrants;
    const app = chosen.some((policy) => policy.app) ? ofApp : [];
    return compileGrants([...app, ...chosen.flatMap(rowsOf)], options.queryLimits);
  };
  const allPolicies = policies.map(readPolicy);
  return {
    roles: byId(roles),
    policies: byId(allPolicies),
    links: links.toSorted(bySort),
    limitsAddresses: allPolicies.some((policy) => policy.addresses.length > 0),
    viewOf: shareViews((chosen, { policy, collections }) => {
      const bounds = intersectGrants(policy === null ? allGrants : compile([policy]), grantsWithin(collections));
      return intersectGrants(compile(chosen), bounds);
    }),
  };
}

/** Sets of policies whose views are kept; administrators may view as any set. */
const maxViews = 1000;

/** Makes one view per set of policies and bounds. When the schema changes, a new view is made of the same grants. */
function shareViews(compile: (policies: readonly Policy[], bounds: Bounds) => Grants): AccessSnapshot['viewOf'] {
  const views = new Lru<string, SchemaView & { readonly compiled: Grants }>(maxViews);
  /** By identity of the list: the authenticator passes the same list again for the same caller. */
  const latest = new WeakMap<readonly Policy[], SchemaView>();
  const find = (policies: readonly Policy[], schema: Schema, bounds: Bounds): SchemaView => {
    const key = keyOf(policies, bounds);
    const known = views.get(key);
    if (known?.schema === schema) return known;
    const compiled = known?.compiled ?? compile(policies, bounds);
    const view = { compiled, ...makeView(schema, narrowHistory(compiled, schema)) };
    views.set(key, view);
    return view;
  };
  return (policies, schema, bounds = unbounded) => {
    const known = latest.get(policies);
    if (known?.schema === schema) return known;
    const view = find(policies, schema, bounds);
    latest.set(policies, view);
    return view;
  };
}

function keyOf(policies: readonly Policy[], { policy, collections }: Bounds): string {
  const chosen = policies.map(({ id }) => id).join(' ');
  return policy === null && collections === null ? chosen : `${chosen} within ${JSON.stringify([policy?.id ?? null, collections])}`;
}
