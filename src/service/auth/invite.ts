// Invitations: a user who is told by mail and becomes active by choosing a password.

import type { Caller } from '../../core/access/view.js';
import { invalidPayload, serviceError } from '../../core/errors/service-error.js';
import { hashPassword } from '../secrets/hash-password.js';
import { findAccount, findAccountByEmail } from './account.js';
import { type Body, readBody, readText } from './account-payload.js';
import { chooseLinkTarget } from './allowed-url.js';
import type { AuthContext, ClientFacts } from './auth-context.js';
import { changeAccounts } from './change-accounts.js';
import { isEmail, normaliseEmail } from './email.js';
import { addressKey } from './limiter.js';
import { checkPasswordPolicy } from './password-policy.js';
import { ownPage, sendLetter } from './send-letter.js';
import { readAccountSettings } from './settings.js';

const weekMs = 7 * 86_400_000;
/** More letters than this in one request are no invitation. */
const mostAtOnce = 100;

/** The users are made as the caller: whoever may not create users with this role cannot invite them. */
export async function inviteUsers(context: AuthContext, caller: Caller, body: unknown): Promise<void> {
  const payload = readBody(body);
  const [emails, role] = [readEmails(payload), readText(payload, 'role')];
  const link = chooseLinkTarget(payload['invite_url'], context.options.allowedUrls, ownPage(context, '/accept-invite'), 'invite_url');
  const invited = await Promise.all(emails.map((email) => findAccountByEmail(context, context.driver, email)));
  const fresh = emails.filter((_, index) => invited[index] === null);
  const made = await context.createItems(
    caller,
    'service_users',
    fresh.map((email) => ({ email, role, status: 'invited' })),
  );
  const { project } = await readAccountSettings(context, context.driver);
  const again = invited.filter((account) => account?.status === 'invited' && account.role === role);
  const letters = [
    ...made.map((id, index) => ({ id, to: fresh[index] ?? '' })),
    ...again.map((account) => ({ id: account?.id, to: account?.email ?? '' })),
  ];
  for (const { id, to } of letters) {
    const token = await context.signer.sign('invite', { id }, weekMs);
    sendLetter(context, { name: 'invite', to, link, token, project });
  }
}

function readEmails(payload: Body): readonly string[] {
  const given = payload['email'];
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  const emails = list.map((entry) => (typeof entry === 'string' ? normaliseEmail(entry) : ''));
  if (emails.length === 0 || emails.length > mostAtOnce || !emails.every(isEmail))
    throw invalidPayload(`"email" has to be one to ${mostAtOnce} email addresses.`);
  return [...new Set(emails)];
}

export async function acceptInvitation(context: AuthContext, body: unknown, client: ClientFacts): Promise<void> {
  const payload = readBody(body);
  const [token, password] = [readText(payload, 'token'), readText(payload, 'password')];
  await context.limiter.take('password-reset', `invite ${addressKey(client.ip)}`);
  const { claims } = await context.signer.verify('invite', token);
  const account = await findAccount(context, context.driver, String(claims['id']));
  if (account?.status !== 'invited') throw invalidInvite();
  checkPasswordPolicy((await readAccountSettings(context, context.driver)).passwordPolicy, password);
  const hashed = await hashPassword(password);
  const where = { id: account.id, status: 'invited' };
  const taken = await changeAccounts(context, (connection) =>
    context.tables.users.update(connection, { password: hashed, status: 'active' }, where),
  );
  if (taken !== 1) throw invalidInvite();
}

const invalidInvite = () => serviceError('INVALID_INVITE', 'Invitation link is invalid.');
