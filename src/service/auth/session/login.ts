// Login by email and password, and logout. Whatever is wrong with the name, the password or the status of the account, the answer, the
// work and the time are the same.

import { routeNotFound } from '../../../core/errors/service-error.js';
import type { Connection } from '../../../core/vendor/driver.js';
import { verifyPassword } from '../../secrets/hash-password.js';
import { type Account, findAccountByEmail, readOwnPolicies, spendCode } from '../account.js';
import type { AuthContext, ClientFacts } from '../auth-context.js';
import { changeAccounts } from '../change-accounts.js';
import { addressKey } from '../limits/limiter.js';
import { delayFailure } from '../limits/minimum-time.js';
import { invalidCredentials, invalidOtp } from '../refusals.js';
import type { Authenticator } from './authenticate.js';
import { type IssuedTokens, issueTokens, type SessionMode, sessionLifetime } from './issue-tokens.js';
import { type CarriedSession, readFamily } from './refresh.js';
import { endSession, findFamily, findSession, type Proof, provedHere, startSession, toTime } from './sessions.js';
import { delayUnknownAddress, isKnownAddress } from './slow-guessing.js';

const defaultProvider = 'default';

export interface Credentials {
  /** The name of a provider whose accounts have their passwords here, too. */
  readonly provider?: string;
  readonly email: string;
  readonly password: string;
  readonly mode: SessionMode;
  readonly otp: string | null;
}

export async function login(
  context: AuthContext,
  authenticator: Authenticator,
  { provider = defaultProvider, email, password, mode, otp }: Credentials,
  client: ClientFacts,
): Promise<IssuedTokens> {
  if (provider === defaultProvider && context.options.disableDefaultLogin) throw routeNotFound('/auth/login');
  await context.limiter.take('login', `account ${email} at ${addressKey(client.ip)}`);
  await context.limiter.take('login', `address ${addressKey(client.ip)}`);
  return delayFailure(context.options.refusalMs, async () => {
    const account = await checkPassword(context, provider, email, password, client);
    await checkCode(context, account, otp, client);
    return openSession(context, authenticator, account, mode, client);
  });
}

async function checkPassword(
  context: AuthContext,
  provider: string,
  email: string,
  password: string,
  client: ClientFacts,
): Promise<Account> {
  const account = await findAccountByEmail(context, context.driver, email);
  await delayUnknownAddress(context, email, account, client.ip);
  const matches = await verifyPassword(account?.password ?? null, password);
  const maySignIn = account?.status === 'active' && account.provider === provider;
  if (account === null || !maySignIn || !matches) throw invalidCredentials();
  return account;
}

/**
 * Runs after the password was right. Six digits could be guessed from many addresses, so all unknown addresses share one limit; at an
 * address where the account has a session only the attempts from there count.
 */
export async function checkCode(context: AuthContext, account: Account, code: string | null, client: ClientFacts): Promise<void> {
  if (account.tfaSecret === null) return;
  if (code === null) throw invalidOtp();
  await context.limiter.take('otp', `${account.id} at ${addressKey(client.ip)}`);
  if (!(await isKnownAddress(context, account, client.ip))) await context.limiter.take('otp-unknown-address', account.id);
  if (!(await spendCode(context, context.driver, account, code))) throw invalidOtp();
}

export async function openSession(
  context: AuthContext,
  authenticator: Authenticator,
  account: Pick<Account, 'id' | 'role'>,
  mode: SessionMode,
  client: ClientFacts,
  proved: Proof = provedHere,
): Promise<IssuedTokens> {
  const { id: user, role } = account;
  const own = await readOwnPolicies(context, context.driver, user);
  const { accountability } = await authenticator.resolve({ user, role, own }, client);
  const session = await changeAccounts(context, async (connection) => {
    const now = toTime(Date.now());
    const owner = { user, share: null, ...proved, signedIn: now };
    const started = await startSession(context, connection, owner, client, sessionLifetime(context, mode));
    await context.tables.users.update(connection, { last_access: now }, { id: user });
    await recordActivity(context, connection, 'login', user, client);
    return started;
  });
  return issueTokens(context, mode, { user, role, app: accountability.app, admin: accountability.admin }, session);
}

/** Ends a session. An unknown token gets the same answer. */
export async function logout(context: AuthContext, { mode, token }: CarriedSession, client: ClientFacts): Promise<void> {
  const family = mode === 'session' ? await readFamily(context, token) : await findFamily(context, context.driver, token);
  if (family === null) return;
  await changeAccounts(context, async (connection) => {
    const session = await findSession(context, connection, family);
    await endSession(context, connection, family);
    if (session?.user) await recordActivity(context, connection, 'logout', session.user, client);
  });
}

/** `update`: the account was changed in a way that is not a write of its item. */
export async function recordActivity(
  { tables, system, options }: AuthContext,
  connection: Connection,
  action: 'login' | 'logout' | 'update',
  user: string,
  { ip, userAgent, origin }: ClientFacts,
  by: string | null = user,
): Promise<void> {
  if (!options.history) return;
  await tables.activity.insert(connection, [
    {
      action,
      user: by,
      collection: system.nameOf('service_users'),
      item: user,
      ip: ip.slice(0, 50),
      user_agent: userAgent,
      origin: origin?.slice(0, 255) ?? null,
    },
  ]);
}
