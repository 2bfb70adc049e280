// Starts what sign-in does besides answering: its guards in the engine, the sweeping of sessions past their time.

import type { Hooks } from '../../core/engine/hooks.js';
import { watchRegularly } from '../../core/engine/watch-regularly.js';
import { noPassword } from '../secrets/hash-password.js';
import type { AuthContext } from './auth-context.js';
import { guardAccess } from './guard-access.js';
import { guardUsers } from './guard-users.js';
import { forgetExpiredSessions } from './sessions.js';

const hourMs = 3_600_000;

/** Call it before anything is written; answers how to stop. */
export async function startAuth(context: AuthContext, hooks: Hooks): Promise<() => Promise<void>> {
  guardUsers(hooks, context);
  guardAccess(hooks, context);
  // Begun, not waited for: the start would take as long as a login.
  void noPassword();
  const sweep = async (): Promise<void> => {
    await forgetExpiredSessions(context, context.driver);
  };
  const stop = watchRegularly(sweep, hourMs, context.report);
  return async () => {
    stop();
    await context.limiter.close();
  };
}
