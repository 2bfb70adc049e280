// Slows down password guessing from many addresses. An account is never locked because of failed attempts, since attackers could lock its
// owner out. Instead, after `auth_login_attempts` attempts within 15 minutes, every login from an address at which the account has no
// session is delayed before the password is checked, longer with each attempt and whether the password is right or wrong.

import type { Account } from '../account.js';
import type { AuthContext } from '../auth-context.js';
import { addressKey } from '../limits/limiter.js';
import { waitUntil } from '../limits/minimum-time.js';
import { readAccountSettings } from '../settings.js';

const stepMs = 200;
const maxDelayMs = 5_000;
/** Bounds the read; an account with more sessions may be delayed at a known address. */
const maxSessions = 1_000;

/** Counts and delays logins to accounts that do not exist in the same way, so that the delay reveals nothing. */
export async function delayUnknownAddress(context: AuthContext, email: string, account: Account | null, ip: string): Promise<void> {
  const started = performance.now();
  const attempts = await context.limiter.tally('account', email);
  if (attempts === 1) return;
  const { loginAttempts } = await readAccountSettings(context, context.driver);
  if (loginAttempts === null || attempts <= loginAttempts) return;
  if (account !== null && (await isKnownAddress(context, account, ip))) return;
  await waitUntil(started + Math.min(maxDelayMs, stepMs * (attempts - loginAttempts)));
}

/** Whether the account has a session that was started at this address. */
export async function isKnownAddress({ driver, tables }: AuthContext, account: Account, ip: string): Promise<boolean> {
  const sessions = await tables.sessions.read(driver, ['ip'], { user: account.id }, maxSessions);
  return sessions.some((session) => addressKey(session.ip ?? '') === addressKey(ip));
}
