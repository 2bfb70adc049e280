// A password guessed at too often suspends its account, unless that would lock out the last administrator.

import { ServiceError } from '../../core/errors/service-error.js';
import type { Account } from './account.js';
import type { AuthContext } from './auth-context.js';
import { changeAccounts } from './change-accounts.js';
import { keepAdministrator } from './last-administrator.js';
import { endSessionsOf } from './sessions.js';
import { readAccountSettings } from './settings.js';

export async function countFailedLogin(context: AuthContext, account: Account): Promise<void> {
  const { driver, tables } = context;
  await tables.users.countUp(driver, 'failed_logins', { id: account.id });
  const { loginAttempts } = await readAccountSettings(context, driver);
  if (loginAttempts !== null && account.failedLogins + 1 >= loginAttempts) await suspend(context, account.id);
}

async function suspend(context: AuthContext, user: string): Promise<void> {
  try {
    await changeAccounts(context, async (connection) => {
      await context.tables.users.update(connection, { status: 'suspended', failed_logins: 0 }, { id: user });
      await endSessionsOf(context, connection, [user], null);
      await keepAdministrator(context, connection);
    });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'UNPROCESSABLE_CONTENT') throw error;
  }
}
