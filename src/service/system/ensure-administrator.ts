// The first start: the administrators' role with its policy, the policy of the public, and the first administrator.

import { definitionOf } from '../../core/engine/definition-of.js';
import { type SystemRows, systemRows } from '../../core/engine/system-rows.js';
import type { Dialect } from '../../core/vendor/dialect.js';
import type { Connection } from '../../core/vendor/driver.js';
import { systemDefinitions } from './system-definitions.js';

export interface AdministratorOptions {
  readonly dialect: Dialect;
  readonly systemSchema: string | null;
  readonly adminEmail: string | null;
  /** null: one is made. */
  readonly adminPassword: string | null;
  /** A static token for the administrator; null: none. */
  readonly adminToken: string | null;
  readonly hashPassword: (password: string) => Promise<string>;
  readonly digestToken: (token: string) => string;
  readonly randomToken: (length: number) => string;
}

export interface Administrator {
  readonly email: string;
  /** Set when it was made here: nobody else knows it. */
  readonly generatedPassword: string | null;
}

const defaultEmail = 'admin@example.com';

/** null when the first start is over: the migrations' log remembers it, so that a deleted administrator does not come back. */
export async function ensureAdministrator(options: AdministratorOptions): Promise<Administrator | null> {
  const log = rowsOf(options, 'service_migrations');
  if (await isDone(log, options.dialect.driver)) return null;
  const generatedPassword = options.adminPassword === null ? options.randomToken(16) : null;
  const email = (options.adminEmail ?? defaultEmail).trim().toLowerCase();
  const password = await options.hashPassword(options.adminPassword ?? generatedPassword ?? '');
  return options.dialect.exclusively(async (connection) => {
    if (await isDone(log, connection)) return null;
    await insertFirstAccess(options, connection, { email, password });
    await log.insert(connection, [{ version: firstStart, name: 'first administrator' }]);
    return { email, generatedPassword };
  });
}

const firstStart = 'first-start';

const isDone = async (log: SystemRows, connection: Connection): Promise<boolean> =>
  (await log.read(connection, ['version'], { version: firstStart })).length > 0;

const rowsOf = (options: AdministratorOptions, collection: string): SystemRows =>
  systemRows(options.dialect.syntax, definitionOf(systemDefinitions, collection), options.systemSchema);

async function insertFirstAccess(
  options: AdministratorOptions,
  connection: Connection,
  user: { readonly email: string; readonly password: string },
): Promise<void> {
  const [role, policy, publicPolicy] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  await rowsOf(options, 'service_roles').insert(connection, [
    { id: role, name: 'Administrator', icon: 'verified', description: 'May do everything' },
  ]);
  await rowsOf(options, 'service_policies').insert(connection, [
    { id: policy, name: 'Administrator', icon: 'verified', description: 'Everything, without rules', admin_access: true, app_access: true },
    {
      id: publicPolicy,
      name: '$t:public_label',
      icon: 'public',
      description: '$t:public_description',
      admin_access: false,
      app_access: false,
    },
  ]);
  await rowsOf(options, 'service_access').insert(connection, [
    { id: crypto.randomUUID(), role, user: null, policy, sort: 1 },
    { id: crypto.randomUUID(), role: null, user: null, policy: publicPolicy, sort: 1 },
  ]);
  const token = options.adminToken === null ? null : options.digestToken(options.adminToken);
  await rowsOf(options, 'service_users').insert(connection, [
    { id: crypto.randomUUID(), first_name: 'Admin', last_name: 'User', ...user, status: 'active', role, token },
  ]);
}
