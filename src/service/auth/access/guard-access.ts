// Hooks on writes of roles, policies, links and permissions: refuse values that cannot work, keep an administrator, and raise the policy
// epoch, on which every process reads these tables again.

import { actions } from '../../../core/access/permission.js';
import type { Hooks, WriteAction, WriteEvent } from '../../../core/engine/write/hooks.js';
import { refusal } from '../../../core/errors/refusals.js';
import { invalidPayload, ServiceError } from '../../../core/errors/service-error.js';
import { parseRule } from '../../../core/query/parse/parse-rule.js';
import type { QueryLimits } from '../../../core/query/query.js';
import { listOf } from '../../../core/schema/meta-row.js';
import type { AuthContext } from '../auth-context.js';
import { byId, type Role } from './access-rows.js';
import { isAddressEntry } from './address-list.js';
import { requireAdministratorAtCommit } from './last-administrator.js';

type Context = Pick<AuthContext, 'tables' | 'store' | 'readObjects' | 'options'>;

const writes: readonly WriteAction[] = ['create', 'update', 'delete'];

export function guardAccess(hooks: Hooks, context: Context): void {
  for (const action of writes) {
    for (const collection of ['service_roles', 'service_policies', 'service_access', 'service_permissions']) {
      hooks.before(collection, action, (event) => requireAdministrator(context, event));
      hooks.after(collection, action, (event) => raiseEpoch(context, event));
    }
  }
  for (const action of ['create', 'update'] as const) {
    hooks.before('service_policies', action, async (event) => checkEach(event, checkAddresses));
    hooks.before('service_permissions', action, async (event) =>
      checkEach(event, (row) => checkPermission(row, context.options.queryLimits)),
    );
    hooks.after('service_roles', action, (event) => refuseCycles(context, event));
  }
}

/**
 * Every update and delete may remove the last administrator. So may the creation of a link: the linked policy may require a second factor
 * that the administrators do not have.
 */
async function requireAdministrator(context: Context, { work, action, collection }: WriteEvent): Promise<undefined> {
  const harmless = collection.codeName === 'service_permissions' || (action === 'create' && collection.codeName !== 'service_access');
  if (!harmless) await requireAdministratorAtCommit(context, work);
}

async function raiseEpoch({ store }: Context, { work }: WriteEvent): Promise<void> {
  await store.bumpEpoch(work.connection, 'policy');
  work.afterCommit(() => store.check());
}

type Row = Readonly<Record<string, unknown>>;

function checkEach({ items }: WriteEvent, check: (row: Row) => void): undefined {
  for (const { values } of items) check(Object.fromEntries(values));
}

function checkAddresses(row: Row): void {
  const wrong = listOf(row, 'ip_access').find((entry) => !isAddressEntry(entry));
  if (wrong !== undefined) throw invalidPayload(refusal('no_ip', { detail: wrong }));
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

async function refuseCycles({ tables }: Context, { work, items }: WriteEvent): Promise<void> {
  if (!items.some(({ values }) => typeof values.get('parent') === 'string')) return;
  const roles = byId(await tables.roles.read(work.connection, ['id', 'parent']));
  if ([...roles.values()].some((role) => isOwnAncestor(roles, role))) throw invalidPayload(refusal('role_cycle'));
}

function isOwnAncestor(roles: ReadonlyMap<string, Role>, role: Role): boolean {
  const seen = new Set<string>();
  for (let at = role.parent; at !== null && !seen.has(at); at = roles.get(at)?.parent ?? null) {
    if (at === role.id) return true;
    seen.add(at);
  }
  return false;
}
