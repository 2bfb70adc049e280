// The settings of the project that accounts follow.

import { numberOf, textOf } from '../../core/schema/meta-row.js';
import type { Connection } from '../../core/vendor/driver.js';
import type { AuthContext } from './auth-context.js';

export interface AccountSettings {
  readonly project: string;
  /** Failed logins after which a user is suspended; null: never. */
  readonly loginAttempts: number | null;
  /** A regular expression passwords have to match; null: any password. */
  readonly passwordPolicy: string | null;
  readonly registration: boolean;
  readonly verifyEmail: boolean;
  readonly registrationRole: string | null;
  /** A filter the address has to match; null: any address. */
  readonly emailFilter: unknown;
}

const columns = [
  'project_name',
  'auth_login_attempts',
  'auth_password_policy',
  'public_registration',
  'public_registration_verify_email',
  'public_registration_role',
  'public_registration_email_filter',
];

export async function readAccountSettings({ tables }: Pick<AuthContext, 'tables'>, connection: Connection): Promise<AccountSettings> {
  const [row] = await tables.settings.read(connection, columns);
  return {
    project: textOf(row, 'project_name') ?? 'Tain',
    loginAttempts: numberOf(row, 'auth_login_attempts'),
    passwordPolicy: textOf(row, 'auth_password_policy'),
    registration: row?.['public_registration'] === true,
    verifyEmail: row?.['public_registration_verify_email'] !== false,
    registrationRole: textOf(row, 'public_registration_role'),
    emailFilter: row?.['public_registration_email_filter'] ?? null,
  };
}
