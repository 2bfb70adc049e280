// Keeps the service administrable: no change may leave it without an active user who can sign in by password from the address of the
// change and who has admin access then.

import type { Accountability } from '../../../core/access/accountability.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import type { TransactionScope } from '../../../core/engine/work/transaction-scope.js';
import { refusal } from '../../../core/errors/refusals.js';
import { refusalError, type ServiceError } from '../../../core/errors/service-error.js';
import type { RowOf } from '../../../core/schema/system-definition.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { users } from '../../definitions/accounts.js';
import type { access } from '../../definitions/permissions.js';
import type { AuthContext } from '../auth-context.js';
import { byId, type Policy, policyColumns, readPolicy } from './access-rows.js';
import { type AccessTables, choosePolicies, roleAndParents } from './policy-set.js';

type Context = Pick<AuthContext, 'tables' | 'store' | 'readObjects'>;

/** A user as the engine answers it: `password` and `tfa_secret` are asterisks where they are set. */
type User = Pick<RowOf<typeof users>, 'role' | 'provider' | 'password' | 'tfa_secret'> & {
  readonly policies: readonly Pick<RowOf<typeof access>, 'policy'>[];
};

const watched = new WeakSet<TransactionScope>();

/**
 * Call before a change. The check runs once, before the commit: a later step of the same transaction may make another user administrator.
 */
export async function requireAdministratorAtCommit(context: Context, { scope, connection, caller }: TransactionWork): Promise<void> {
  if (watched.has(scope)) return;
  watched.add(scope);
  scope.beforeCommit(await expectAdministrator(context, connection, caller.accountability));
}

/**
 * Call before a change, in its transaction; call the function it resolves to after the change, which throws when no administrator is left.
 * Raises the epoch first: its row stays locked until the commit, so that of two concurrent changes the second sees the result of the first.
 */
export async function expectAdministrator(
  context: Context,
  connection: Connection,
  { admin, ip }: Pick<Accountability, 'admin' | 'ip'>,
): Promise<() => Promise<void>> {
  await context.store.bumpEpoch(connection, 'policy');
  // The address of a caller without admin access does not show where administrators sign in.
  const isAble = (administrator: Administrator): boolean => canAdminister(administrator, admin ? ip : null);
  const wasPossible = (await findAdministrators(context, connection)).some(isAble);
  return async () => {
    const left = await findAdministrators(context, connection);
    // When no administrator was able to sign in before the change either, any active administrator is enough.
    if (left.length === 0 || (wasPossible && !left.some(isAble))) throw lastAdministrator();
  };
}

const lastAdministrator = (): ServiceError =>
  refusalError('UNPROCESSABLE_CONTENT', refusal('last_administrator'), { reason: 'The last administrator cannot be removed' });

/** An active user with a policy of admin access, who may still be unable to sign in. */
interface Administrator {
  readonly user: User;
  readonly tables: AccessTables;
}

const maxAdministrators = 1000;

async function findAdministrators({ tables: rows, readObjects }: Context, connection: Connection): Promise<readonly Administrator[]> {
  const roles = await rows.roles.read(connection, ['id', 'parent']);
  const policies = (await rows.policies.read(connection, policyColumns)).map(readPolicy);
  const links = await rows.access.read(connection, ['role', 'user', 'policy'], { user: null });
  const tables = { roles: byId(roles), policies: byId(policies), links };
  const adminPolicies = policies.filter((policy) => policy.admin).map((policy) => policy.id);
  const opening = new Set(links.filter((link) => adminPolicies.includes(link.policy)).map((link) => link.role));
  const adminRoles = roles.filter((role) => roleAndParents(tables.roles, role.id).some((id) => opening.has(id))).map((role) => role.id);
  if (adminPolicies.length === 0) return [];
  const found = (await readObjects(connection, 'service_users', {
    fields: ['role', 'provider', 'password', 'tfa_secret', 'policies.policy'],
    filter: { status: { _eq: 'active' }, _or: [...memberOf(adminRoles), { policies: { policy: { _in: adminPolicies } } }] },
    deep: { policies: { _limit: -1 } },
    limit: maxAdministrators,
  })) as readonly User[];
  return found.map((user) => ({ user, tables }));
}

const memberOf = (roles: readonly string[]): readonly object[] => (roles.length === 0 ? [] : [{ role: { _in: roles } }]);

/**
 * Whether the user can sign in by password at this address and has admin access then. null leaves the address out. A user without the
 * second factor that a policy requires has no rights.
 */
function canAdminister({ user, tables }: Administrator, ip: string | null): boolean {
  if (user.provider !== 'default' || user.password === null) return false;
  const own = user.policies.map(({ policy }) => policy);
  const { policies } = choosePolicies(ip === null ? withoutAddresses(tables) : tables, { role: user.role, own, ip });
  const lacksCode = user.tfa_secret === null && policies.some((policy) => policy.enforceTfa);
  return !lacksCode && policies.some((policy) => policy.admin);
}

const withoutAddresses = (tables: AccessTables): AccessTables => ({
  ...tables,
  policies: new Map([...tables.policies].map(([id, policy]): [string, Policy] => [id, { ...policy, addresses: [] }])),
});
