// Ending a session. Unknown tokens are answered like known ones.

import type { AuthContext, ClientFacts } from './auth-context.js';
import { changeAccounts } from './change-accounts.js';
import { recordActivity } from './record-activity.js';
import { type CarriedSession, readFamily } from './refresh.js';
import { endSession, findFamily, findSession } from './sessions.js';

export async function logout(context: AuthContext, { mode, token }: CarriedSession, client: ClientFacts): Promise<void> {
  const named = mode === 'session' ? await readFamily(context, token) : await findFamily(context, context.driver, token);
  if (named === null) return;
  await changeAccounts(context, async (connection) => {
    const session = await findSession(context, connection, named);
    await endSession(context, connection, named);
    if (session?.user) await recordActivity(context, connection, 'logout', session.user, client);
  });
}
