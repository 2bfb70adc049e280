// The first start: creates the administrator role with its policy, the public policy, and the first administrator. An administrator with a
// generated password can be set up in a browser.

import { systemRows } from '../../core/engine/own-rows/system-rows.js';
import type { RowOf } from '../../core/schema/system-definition.js';
import type { SystemHome } from '../../core/schema/system-home.js';
import type { Dialect } from '../../core/vendor/dialect.js';
import type { Connection } from '../../core/vendor/driver.js';
import { openSetup } from '../auth/account/setup.js';
import { roles, users } from '../definitions/accounts.js';
import { firstStart, migrations, secrets } from '../definitions/bookkeeping.js';
import { access, policies } from '../definitions/permissions.js';
import { hashPassword } from '../secrets/hash-password.js';
import { digestToken, randomToken } from '../secrets/token.js';
import { keepWire } from './wire/kept-wire.js';

export interface AdministratorOptions {
  readonly dialect: Dialect;
  readonly system: SystemHome;
  readonly adminEmail: string | null;
  /** null generates one. */
  readonly adminPassword: string | null;
  /** A static token for the administrator. */
  readonly adminToken: string | null;
}

export interface Administrator {
  readonly email: string;
  /** Set when the service generated the password; it is stored as a hash only. */
  readonly generatedPassword: string | null;
}

const defaultEmail = 'admin@example.com';

/** Projects and templates made for the protocol name the policy of the public by this id, which is the same everywhere. */
export const publicPolicyId = 'abf8a154-5b1c-4a46-ac9c-7300570f4f17';

/** Resolves to null on every later start. */
export async function ensureAdministrator(options: AdministratorOptions): Promise<Administrator | null> {
  const { dialect, system } = options;
  const log = systemRows(dialect.syntax, migrations, system);
  const isDone = async (connection: Connection): Promise<boolean> =>
    (await log.read(connection, ['version'], { version: firstStart })).length > 0;
  if (await isDone(dialect.driver)) return null;
  const generatedPassword = options.adminPassword === null ? randomToken(16) : null;
  const email = (options.adminEmail ?? defaultEmail).trim().toLowerCase();
  const password = await hashPassword(options.adminPassword ?? generatedPassword ?? '');
  const token = options.adminToken === null ? null : digestToken(options.adminToken);
  return dialect.exclusively(async (connection) => {
    if (await isDone(connection)) return null;
    const user = crypto.randomUUID();
    await insertFirstAccess(options, connection, { id: user, email, password, token });
    if (generatedPassword !== null) await openSetup({ secrets: systemRows(dialect.syntax, secrets, system) }, connection, user);
    await keepWire(dialect, connection, system);
    await log.insert(connection, [{ version: firstStart, name: 'first administrator' }]);
    return { email, generatedPassword };
  });
}

async function insertFirstAccess(
  { dialect: { syntax }, system }: AdministratorOptions,
  connection: Connection,
  user: Pick<RowOf<typeof users>, 'id' | 'email' | 'password' | 'token'>,
): Promise<void> {
  const [role, policy] = [crypto.randomUUID(), crypto.randomUUID()];
  await systemRows(syntax, roles, system).insert(connection, [
    { id: role, name: 'Administrator', icon: 'verified', description: 'May do everything' },
  ]);
  await systemRows(syntax, policies, system).insert(connection, [
    { id: policy, name: 'Administrator', icon: 'verified', description: 'Everything, without rules', admin_access: true, app_access: true },
    {
      id: publicPolicyId,
      name: '$t:public_label',
      icon: 'public',
      description: '$t:public_description',
      admin_access: false,
      app_access: false,
    },
  ]);
  await systemRows(syntax, access, system).insert(connection, [
    { id: crypto.randomUUID(), role, user: null, policy, sort: 1 },
    { id: crypto.randomUUID(), role: null, user: null, policy: publicPolicyId, sort: 1 },
  ]);
  await systemRows(syntax, users, system).insert(connection, [{ first_name: 'Admin', last_name: 'User', ...user, status: 'active', role }]);
}
