// Reset of a forgotten password by a link in a mail. The link is valid for a day, for one use, and until the password or the address changes.

import { ServiceError } from '../../../core/errors/service-error.js';
import { invalidToken } from '../../secrets/signed-token.js';
import { digestToken, isSameSecret } from '../../secrets/token.js';
import { type Account, findAccount, findAccountByEmail } from '../account.js';
import type { AuthContext, ClientFacts } from '../auth-context.js';
import { changeAccounts } from '../change-accounts.js';
import { addressKey } from '../limits/limiter.js';
import { delayAnswer } from '../limits/minimum-time.js';
import { endSessionsOf } from '../session/sessions.js';
import { hashChosenPassword, readAccountSettings } from '../settings.js';
import { chooseLinkTarget } from './allowed-url.js';
import { sendMail, servicePage } from './send-mail.js';

const dayMs = 86_400_000;

/** Answers alike whether or not the account exists; checks the link target before it looks for the account (C09). */
export async function requestPasswordReset(
  context: AuthContext,
  { email, reset_url: target }: { readonly email: string; readonly reset_url: string | null },
  client: ClientFacts,
): Promise<void> {
  const link = chooseLinkTarget(target, context.options.allowedUrls, servicePage(context, '/reset-password'), 'reset_url');
  await context.limiter.take('password-request', addressKey(client.ip));
  await delayAnswer(context.options.refusalMs, async () => {
    const account = await findAccountByEmail(context, context.driver, email);
    if (account?.email && account.status === 'active' && account.provider === 'default' && (await mayMail(context, account)))
      await sendReset(context, account, account.email, link);
  });
}

/**
 * Anyone can request mails to any account. Beyond the limit the mail is not sent, but the request is not refused: the owner has recent links
 * by then, and a refusal would let attackers keep the owner from asking.
 */
const mayMail = async ({ limiter }: AuthContext, account: Account): Promise<boolean> => {
  try {
    await limiter.take('mail', account.id);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'REQUESTS_EXCEEDED') return false;
    throw error;
  }
};

async function sendReset(context: AuthContext, account: Account, to: string, link: string): Promise<void> {
  const { project } = await readAccountSettings(context, context.driver);
  const token = await context.signer.sign('password-reset', { id: account.id, hash: fingerprint(account) }, dayMs);
  sendMail(context, { name: 'password-reset', to, link, token, project });
}

export async function resetPassword(
  context: AuthContext,
  { token, password }: { readonly token: string; readonly password: string },
  client: ClientFacts,
): Promise<void> {
  await context.limiter.take('password-reset', addressKey(client.ip));
  const { claims } = await context.signer.verify('password-reset', token);
  const account = await findAccount(context, context.driver, String(claims['id']));
  if (account?.status !== 'active' || !isSameSecret(String(claims['hash']), fingerprint(account))) throw invalidToken();
  const hashed = await hashChosenPassword(context, password);
  await changeAccounts(context, async (connection) => {
    const taken = await context.tables.users.update(connection, { password: hashed }, { id: account.id, password: account.password });
    if (taken !== 1) throw invalidToken();
    await endSessionsOf(context, connection, [account.id], null);
  });
}

/** Of the stored hash and the address, so that a link becomes invalid when the password changes, or the mailbox that it was sent to. */
const fingerprint = ({ id, email, password }: Account): string => digestToken(JSON.stringify([id, email, password])).slice(0, 32);
