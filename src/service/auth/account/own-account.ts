// What every signed-in user may do with the own account, whatever the permissions say.

import type { Caller } from '../../../core/access/view.js';
import type { AuthContext } from '../auth-context.js';
import { invalidCredentials } from '../refusals.js';

export async function trackPage({ tables, driver }: AuthContext, caller: Caller, page: string): Promise<void> {
  const id = ownKey(caller);
  await tables.users.update(driver, { last_page: page }, { id });
}

/** The key of the caller's user; INVALID_CREDENTIALS for the public and for the holder of a share. */
export function ownKey({ accountability }: Caller): string {
  if (accountability.user === null) throw invalidCredentials();
  return accountability.user;
}
