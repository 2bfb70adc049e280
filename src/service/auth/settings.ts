// The project settings that accounts depend on, and the check of new passwords against them.

import { matchesRegex } from '../../core/access/match-regex.js';
import { serviceError } from '../../core/errors/service-error.js';
import type { Connection } from '../../core/vendor/driver.js';
import { hashPassword } from '../secrets/hash-password.js';
import type { AuthContext } from './auth-context.js';

export interface AccountSettings {
  readonly project: string;
  /** Login attempts on one account within 15 minutes after which unknown addresses have to wait; null never delays them. */
  readonly loginAttempts: number | null;
  /** A regular expression that passwords have to match; null accepts any password. */
  readonly passwordPolicy: string | null;
  readonly registration: boolean;
  readonly verifyEmail: boolean;
  readonly registrationRole: string | null;
  /** A filter that the address has to match; null accepts any address. */
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
] as const;

export async function readAccountSettings({ tables }: Pick<AuthContext, 'tables'>, connection: Connection): Promise<AccountSettings> {
  const [row] = await tables.settings.read(connection, columns);
  return {
    project: row?.project_name || 'Tain',
    loginAttempts: row?.auth_login_attempts ?? null,
    passwordPolicy: row?.auth_password_policy || null,
    registration: row?.public_registration ?? false,
    verifyEmail: row?.public_registration_verify_email ?? true,
    registrationRole: row?.public_registration_role ?? null,
    emailFilter: row?.public_registration_email_filter ?? null,
  };
}

/** Throws FAILED_VALIDATION when a new password does not match the policy. */
export function checkPasswordPolicy(policy: string | null, password: string): void {
  if (policy === null || matchesRegex(policy, password)) return;
  throw serviceError('FAILED_VALIDATION', 'Validation failed for field "password". Value doesn\'t have the correct format.', {
    field: 'password',
    path: [],
    type: 'regex',
  });
}

/** The hash of a password that somebody chose, checked against the policy of the project. */
export async function hashChosenPassword(context: AuthContext, password: string): Promise<string> {
  checkPasswordPolicy((await readAccountSettings(context, context.driver)).passwordPolicy, password);
  return hashPassword(password);
}
