// The sessions of a user, for the user and for administrators. Answers contain nothing of a token.

import type { Caller } from '../../../core/access/view.js';
import { forbidden } from '../../../core/errors/service-error.js';
import { readUuid } from '../../../core/util/read-uuid.js';
import { findAccount } from '../account.js';
import type { AuthContext } from '../auth-context.js';
import { changeAccounts } from '../change-accounts.js';
import { endSessionsOf, toTime } from '../session/sessions.js';

export interface OpenSession {
  readonly created: string;
  readonly expires: string;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly origin: string | null;
  /** Whether the request was authenticated by this session. */
  readonly current: boolean;
}

/** The latest first; a session that was prolonged counts once. */
export async function readSessionsOf(context: AuthContext, user: string, { accountability }: Caller): Promise<readonly OpenSession[]> {
  const columns = ['family', 'created', 'expires', 'ip', 'user_agent', 'origin', 'next_token', 'rotated_at'] as const;
  const rows = await context.tables.sessions.read(context.driver, columns, { user });
  const now = toTime(Date.now());
  return rows
    .filter((row) => row.next_token === null && row.rotated_at === null && new Date(row.expires).toISOString() > now)
    .map(({ family, created, expires, ip, user_agent, origin }) => ({
      ...{ created, expires, ip, user_agent, origin },
      current: family === accountability.session,
    }))
    .toSorted((left, right) => right.created.localeCompare(left.created));
}

/** Ends all of them except one. Static tokens are no sessions and stay. */
export async function endSessionsOfUser(context: AuthContext, user: string, keep: string | null): Promise<void> {
  await changeAccounts(context, (connection) => endSessionsOf(context, connection, [user], keep));
}

/** The key of the user that an administrator names; FORBIDDEN if there is none. */
export async function idOf(context: AuthContext, user: string): Promise<string> {
  const id = readUuid(user);
  const account = id === null ? null : await findAccount(context, context.driver, id);
  if (account === null) throw forbidden();
  return account.id;
}
