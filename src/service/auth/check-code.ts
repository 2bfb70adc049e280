// A one-time code is good once: the step it belongs to is stored, and whoever comes second with it is refused, also at the same moment.

import type { Connection } from '../../core/vendor/driver.js';
import { findCodeStep } from '../secrets/one-time-code.js';
import type { Account } from './account.js';
import type { AuthContext } from './auth-context.js';

/** True when the code is right and was not used before; it is used now. */
export async function spendCode({ tables }: AuthContext, connection: Connection, account: Account, code: string): Promise<boolean> {
  const step = account.tfaSecret === null ? null : findCodeStep(account.tfaSecret, code);
  if (step === null || (account.tfaLastStep !== null && step <= account.tfaLastStep)) return false;
  const spent = await tables.users.update(connection, { tfa_last_step: step }, { id: account.id, tfa_last_step: account.tfaLastStep });
  return spent === 1;
}
