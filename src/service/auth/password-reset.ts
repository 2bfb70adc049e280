// A forgotten password: a link by mail, good for a day and for one use. It dies with the password it was asked for.

import { hashPassword } from '../secrets/hash-password.js';
import { invalidToken } from '../secrets/signed-token.js';
import { digestToken, isSameSecret } from '../secrets/token-digest.js';
import type { Account } from './account.js';
import { findAccount, findAccountByEmail } from './account.js';
import { readBody, readEmail, readText } from './account-payload.js';
import { chooseLinkTarget } from './allowed-url.js';
import type { AuthContext, ClientFacts } from './auth-context.js';
import { changeAccounts } from './change-accounts.js';
import { addressKey } from './limiter.js';
import { checkPasswordPolicy } from './password-policy.js';
import { ownPage, sendLetter } from './send-letter.js';
import { endSessionsOf } from './sessions.js';
import { readAccountSettings } from './settings.js';
import { stallAlways } from './stall.js';

const dayMs = 86_400_000;

/** The answer is the same for everybody; the address to link to is looked at before the account (C09). */
export async function requestPasswordReset(context: AuthContext, body: unknown, client: ClientFacts): Promise<void> {
  const payload = readBody(body);
  const email = readEmail(payload, 'email');
  const link = chooseLinkTarget(payload['reset_url'], context.options.allowedUrls, ownPage(context, '/reset-password'), 'reset_url');
  await context.limiter.take('password-request', `address ${addressKey(client.ip)}`);
  await context.limiter.take('password-request', `account ${email}`);
  await stallAlways(context.options.stallMs, async () => {
    const account = await findAccountByEmail(context, context.driver, email);
    if (account?.email && account.status === 'active' && account.provider === 'default')
      await sendReset(context, account, account.email, link);
  });
}

async function sendReset(context: AuthContext, account: Account, to: string, link: string): Promise<void> {
  const { project } = await readAccountSettings(context, context.driver);
  const token = await context.signer.sign('password-reset', { id: account.id, hash: fingerprint(account) }, dayMs);
  sendLetter(context, { name: 'password-reset', to, link, token, project });
}

export async function resetPassword(context: AuthContext, body: unknown, client: ClientFacts): Promise<void> {
  const payload = readBody(body);
  const [token, password] = [readText(payload, 'token'), readText(payload, 'password')];
  await context.limiter.take('password-reset', addressKey(client.ip));
  const { claims } = await context.signer.verify('password-reset', token);
  const account = await findAccount(context, context.driver, String(claims['id']));
  if (account?.status !== 'active' || !isSameSecret(String(claims['hash']), fingerprint(account))) throw invalidToken();
  checkPasswordPolicy((await readAccountSettings(context, context.driver)).passwordPolicy, password);
  const hashed = await hashPassword(password);
  await changeAccounts(context, async (connection) => {
    const taken = await context.tables.users.update(
      connection,
      { password: hashed, failed_logins: 0 },
      { id: account.id, password: account.password },
    );
    if (taken !== 1) throw invalidToken();
    await endSessionsOf(context, connection, [account.id], null);
  });
}

/** Of the stored hash, so that a link dies when the password changes. */
const fingerprint = (account: Account): string => digestToken(`${account.id} ${account.password ?? ''}`).slice(0, 32);
