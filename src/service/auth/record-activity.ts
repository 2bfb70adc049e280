// Logins and logouts in the activity log.

import type { Connection } from '../../core/vendor/driver.js';
import type { AuthContext, ClientFacts } from './auth-context.js';

export async function recordActivity(
  { tables, options }: AuthContext,
  connection: Connection,
  action: 'login' | 'logout',
  user: string,
  { ip, userAgent, origin }: ClientFacts,
): Promise<void> {
  if (!options.history) return;
  const row = {
    action,
    user,
    collection: 'service_users',
    item: user,
    ip: ip.slice(0, 50),
    user_agent: userAgent,
    origin: origin?.slice(0, 255) ?? null,
  };
  await tables.activity.insert(connection, [row]);
}
