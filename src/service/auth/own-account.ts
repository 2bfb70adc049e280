// What anybody who is logged in may do with the own account, whatever the permissions say.

import type { Caller } from '../../core/access/view.js';
import { readBody, readText } from './account-payload.js';
import type { AuthContext } from './auth-context.js';
import { invalidCredentials } from './refusals.js';

export async function trackPage({ tables, driver }: AuthContext, caller: Caller, body: unknown): Promise<void> {
  const id = ownKey(caller);
  const page = readText(readBody(body), 'last_page', 255);
  await tables.users.update(driver, { last_page: page }, { id });
}

/** The key of the caller's own user; INVALID_CREDENTIALS when nobody is logged in. */
export function ownKey({ accountability }: Caller): string {
  if (accountability.user === null) throw invalidCredentials();
  return accountability.user;
}
