// Writing roles, policies, their links and permissions: what cannot work is refused, somebody stays administrator, and every process
// reads anew what the change was about.

import { actions } from '../../core/access/permission.js';
import type { Hooks, WriteAction, WriteEvent } from '../../core/engine/hooks.js';
import { invalidPayload, ServiceError } from '../../core/errors/service-error.js';
import { parseRule } from '../../core/query/parse-rule.js';
import type { QueryLimits } from '../../core/query/query.js';
import { listOf } from '../../core/schema/meta-row.js';
import { type Role, readRole } from './access-rows.js';
import { isAddressEntry } from './address-list.js';
import type { AuthContext } from './auth-context.js';
import { keepAdministratorAtEnd } from './last-administrator.js';

type Context = Pick<AuthContext, 'tables' | 'store' | 'readObjects' | 'options'>;

const writes: readonly WriteAction[] = ['create', 'update', 'delete'];

export function guardAccess(hooks: Hooks, context: Context): void {
  for (const action of writes) {
    for (const collection of ['service_roles', 'service_policies', 'service_access', 'service_permissions']) {
      hooks.after(collection, action, (event) => spread(context, event));
    }
  }
  for (const action of ['create', 'update'] as const) {
    hooks.before('service_policies', action, async (event) => checkEach(event, checkAddresses));
    hooks.before('service_permissions', action, async (event) =>
      checkEach(event, (row) => checkPermission(row, context.options.queryLimits)),
    );
    hooks.after('service_roles', action, (event) => refuseCircles(context, event));
  }
}

/** A new row takes nothing away from anybody; whatever else happens may take away the last administrator. */
async function spread(context: Context, { work, action, collection }: WriteEvent): Promise<void> {
  const harmless = action === 'create' || collection.name === 'service_permissions';
  if (harmless) await context.store.bumpEpoch(work.connection, 'policy');
  else keepAdministratorAtEnd(context, work);
  work.afterCommit(() => context.store.look());
}

type Row = Readonly<Record<string, unknown>>;

function checkEach({ items }: WriteEvent, check: (row: Row) => void): undefined {
  for (const { values } of items) check(Object.fromEntries(values));
}

function checkAddresses(row: Row): void {
  const wrong = listOf(row, 'ip_access').find((entry) => !isAddressEntry(entry));
  if (wrong !== undefined) throw invalidPayload(`"ip_access" holds "${wrong}", which is no address, block or range of addresses.`);
}

function checkPermission(row: Row, limits: QueryLimits): void {
  const { action, permissions, validation } = row;
  if (typeof action === 'string' && !actions.some((name) => name === action))
    throw invalidPayload(`"action" has to be one of ${actions.join(', ')}.`);
  checkRule('permissions', permissions, 'rule', limits);
  checkRule('validation', validation, 'validation', limits);
}

function checkRule(key: string, rule: unknown, use: 'rule' | 'validation', limits: QueryLimits): void {
  if (rule === undefined || rule === null) return;
  try {
    parseRule(typeof rule === 'string' ? JSON.parse(rule) : rule, use, limits);
  } catch (error) {
    throw invalidPayload(`"${key}" cannot be read as a rule: ${error instanceof ServiceError ? error.message : 'it is no JSON'}`);
  }
}

async function refuseCircles({ tables }: Context, { work, items }: WriteEvent): Promise<void> {
  if (!items.some(({ values }) => typeof values.get('parent') === 'string')) return;
  const roles = new Map((await tables.roles.read(work.connection, ['id', 'parent'])).map(readRole).map((role) => [role.id, role]));
  if ([...roles.values()].some((role) => isOwnAncestor(roles, role)))
    throw invalidPayload('A role cannot be its own parent, nor a parent of its parents.');
}

function isOwnAncestor(roles: ReadonlyMap<string, Role>, role: Role): boolean {
  const seen = new Set<string>();
  for (let at = role.parent; at !== null && !seen.has(at); at = roles.get(at)?.parent ?? null) {
    if (at === role.id) return true;
    seen.add(at);
  }
  return false;
}
