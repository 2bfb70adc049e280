// Opens sessions with settings that suit a direct connection or a pooler. A pooler such as PgBouncer in transaction mode runs each
// transaction in another session of the server. POOLER states whether there is one; otherwise the first connection detects it.

import { DatabaseError } from '../../../core/vendor/database-error.js';
import type { DialectOptions } from '../../../core/vendor/dialect.js';
import { isServerError } from './errors.js';
import type { Session } from './session.js';
import { type SessionSettings, sessionSettings } from './session-settings.js';

export type OpenSession = (settings: SessionSettings) => Promise<Session>;

export function openerFor(options: DialectOptions, open: OpenSession): () => Promise<Session> {
  const { pooler = 'auto' } = options;
  const direct = sessionSettings(options, false);
  let pooled: boolean | null = pooler === 'auto' ? null : pooler === 'transaction';
  let local: SessionSettings | null = null;

  const openPooled = (): Promise<Session> => {
    pooled = true;
    local ??= sessionSettings(options, true);
    return open(local);
  };
  const openUnknown = async (): Promise<Session> => {
    const session = await open(direct);
    if (pooled === null) pooled = await isPooled(session);
    if (!pooled) return session;
    await session.client.end();
    return openPooled();
  };
  return () =>
    pooled === true
      ? openPooled()
      : openUnknown().catch((error: unknown) => {
          if (pooler === 'auto' && refusesSettings(error)) return openPooled();
          throw error;
        });
}

const protocolViolation = '08P01';

/** PgBouncer accepts no settings in the startup packet, except for those that its configuration tells it to ignore. */
function refusesSettings(error: unknown): boolean {
  const cause = error instanceof DatabaseError ? error.cause : error;
  return isServerError(cause) && cause.code === protocolViolation && cause.message.startsWith('unsupported startup parameter');
}

/**
 * A pooler hands out keys of its own for cancelling, since it does not know yet which session will run a statement. The process id in the key is
 * then not that of the server.
 */
async function isPooled(session: Session): Promise<boolean> {
  const { rows } = await session.execute({ kind: 'read', text: 'SELECT pg_backend_pid()', values: [] });
  return rows[0]?.[0] !== session.client.processID;
}
