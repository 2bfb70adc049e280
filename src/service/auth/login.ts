// Logging in by email and password. Whatever is wrong with name, password or state of the account, the answer, the work and the time
// are the same.

import { verifyPassword } from '../secrets/hash-password.js';
import { type Account, findAccountByEmail, readOwnPolicies } from './account.js';
import { readBody, readEmail, readMode, readOptionalText, readText, type SessionMode } from './account-payload.js';
import type { AuthContext, ClientFacts } from './auth-context.js';
import type { Authenticator } from './authenticate.js';
import { changeAccounts } from './change-accounts.js';
import { spendCode } from './check-code.js';
import { countFailedLogin } from './failed-logins.js';
import { type IssuedTokens, issueTokens, sessionLifetime } from './issue-tokens.js';
import { addressKey } from './limiter.js';
import { recordActivity } from './record-activity.js';
import { invalidCredentials, invalidOtp } from './refusals.js';
import { startSession, toTime } from './sessions.js';
import { stallFailure } from './stall.js';

export async function login(context: AuthContext, authenticator: Authenticator, body: unknown, client: ClientFacts): Promise<IssuedTokens> {
  const payload = readBody(body);
  const [email, password] = [readEmail(payload, 'email'), readText(payload, 'password')];
  const [mode, code] = [readMode(payload, 'json'), readOptionalText(payload, 'otp')];
  await context.limiter.take('login', `address ${addressKey(client.ip)}`);
  await context.limiter.take('login', `account ${email}`);
  return stallFailure(context.options.stallMs, async () => {
    const account = await checkPassword(context, email, password);
    await checkCode(context, account, code);
    return openSession(context, authenticator, account, mode, client);
  });
}

async function checkPassword(context: AuthContext, email: string, password: string): Promise<Account> {
  const account = await findAccountByEmail(context, context.driver, email);
  const matches = await verifyPassword(account?.password ?? null, password);
  const mayEnter = account?.status === 'active' && account.provider === 'default';
  if (account !== null && mayEnter && !matches) await countFailedLogin(context, account);
  if (account === null || !mayEnter || !matches) throw invalidCredentials();
  return account;
}

async function checkCode(context: AuthContext, account: Account, code: string | null): Promise<void> {
  if (account.tfaSecret === null) return;
  if (code === null) throw invalidOtp();
  await context.limiter.take('otp', account.id);
  if (!(await spendCode(context, context.driver, account, code))) throw invalidOtp();
}

async function openSession(
  context: AuthContext,
  authenticator: Authenticator,
  account: Account,
  mode: SessionMode,
  client: ClientFacts,
): Promise<IssuedTokens> {
  const { id: user, role } = account;
  const own = await readOwnPolicies(context, context.driver, user);
  const { accountability } = await authenticator.resolve({ user, role, own }, client);
  const session = await changeAccounts(context, async (connection) => {
    const started = await startSession(context, connection, { user, share: null }, client, sessionLifetime(context, mode));
    await context.tables.users.update(connection, { last_access: toTime(Date.now()), failed_logins: 0 }, { id: user });
    await recordActivity(context, connection, 'login', user, client);
    return started;
  });
  return issueTokens(context, mode, { user, role, app: accountability.app, admin: accountability.admin }, session);
}
