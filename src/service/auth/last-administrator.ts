// Somebody must be able to administer: no change may leave the service without an active user who has admin access.

import type { TransactionWork } from '../../core/engine/transaction.js';
import { type ServiceError, serviceError } from '../../core/errors/service-error.js';
import type { Connection } from '../../core/vendor/driver.js';
import { readPolicy, readPolicyLink, readRole } from './access-rows.js';
import type { AuthContext } from './auth-context.js';
import { roleAndParents } from './policy-set.js';

type Context = Pick<AuthContext, 'tables' | 'store' | 'readObjects'>;

const watched = new WeakSet<TransactionWork['beforeCommit']>();

/** Asks once, when everything of the transaction is done: what one step takes away another may have given to somebody else. */
export function keepAdministratorAtEnd(context: Context, { beforeCommit, connection }: TransactionWork): void {
  if (watched.has(beforeCommit)) return;
  watched.add(beforeCommit);
  beforeCommit(() => keepAdministrator(context, connection));
}

/**
 * Call it after the change, in its transaction. Raising the epoch comes first: its row is held until the commit, so of two changes at
 * once the second looks at what the first has left.
 */
export async function keepAdministrator(context: Context, connection: Connection): Promise<void> {
  await context.store.bumpEpoch(connection, 'policy');
  if (!(await hasAdministrator(context, connection))) throw lastAdministrator();
}

const lastAdministrator = (): ServiceError =>
  serviceError('UNPROCESSABLE_CONTENT', 'The last administrator cannot be removed.', {
    reason: 'The last administrator cannot be removed',
  });

async function hasAdministrator({ tables, readObjects }: Context, connection: Connection): Promise<boolean> {
  const roles = (await tables.roles.read(connection, ['id', 'parent'])).map(readRole);
  const policies = (await tables.policies.read(connection, ['id', 'admin_access'], { admin_access: true })).map(readPolicy);
  const links = (await tables.access.read(connection, ['role', 'user', 'policy'], { user: null })).map(readPolicyLink);
  const adminPolicies = policies.map((policy) => policy.id);
  const byId = new Map(roles.map((role) => [role.id, role]));
  const opening = new Set(links.filter((link) => adminPolicies.includes(link.policy)).map((link) => link.role));
  const adminRoles = roles.filter((role) => roleAndParents(byId, role.id).some((id) => opening.has(id))).map((role) => role.id);
  const found = await readObjects(connection, 'service_users', {
    fields: ['id'],
    filter: { status: { _eq: 'active' }, _or: [...memberOf(adminRoles), ...holderOf(adminPolicies)] },
    limit: 1,
  });
  return (adminRoles.length > 0 || adminPolicies.length > 0) && found.length > 0;
}

const memberOf = (roles: readonly string[]): readonly object[] => (roles.length === 0 ? [] : [{ role: { _in: roles } }]);
const holderOf = (policies: readonly string[]): readonly object[] =>
  policies.length === 0 ? [] : [{ policies: { policy: { _in: policies } } }];
