// Invitations. An invited user gets a mail and becomes active by choosing a password.

import type { Caller } from '../../../core/access/view.js';
import { serviceError } from '../../../core/errors/service-error.js';
import { findAccount, findAccountByEmail } from '../account.js';
import type { AuthContext, ClientFacts } from '../auth-context.js';
import { changeAccounts } from '../change-accounts.js';
import { addressKey } from '../limits/limiter.js';
import { hashChosenPassword, readAccountSettings } from '../settings.js';
import { chooseLinkTarget } from './allowed-url.js';
import { ownKey } from './own-account.js';
import { sendMail, servicePage } from './send-mail.js';

const weekMs = 7 * 86_400_000;
export const maxInvitations = 100;

export interface Invitations {
  readonly email: readonly string[];
  readonly role: string;
  readonly invite_url: string | null;
}

/** Creates the users with the rights of the caller. Users who are invited to the same role already get another mail. */
export async function inviteUsers(context: AuthContext, caller: Caller, { email, role, invite_url: target }: Invitations): Promise<void> {
  const emails = [...new Set(email)];
  const link = chooseLinkTarget(target, context.options.allowedUrls, servicePage(context, '/accept-invite'), 'invite_url');
  const invited = await Promise.all(emails.map((email) => findAccountByEmail(context, context.driver, email)));
  const fresh = emails.filter((_, index) => invited[index] === null);
  const made = await context.createItems(
    caller,
    'service_users',
    fresh.map((email) => ({ email, role, status: 'invited' })),
  );
  const { project } = await readAccountSettings(context, context.driver);
  const again = invited.filter((account) => account?.status === 'invited' && account.role === role);
  const mails = [
    ...made.map((id, index) => ({ id, to: fresh[index] ?? '' })),
    ...again.map((account) => ({ id: account?.id, to: account?.email ?? '' })),
  ];
  for (const { id, to } of mails) {
    const token = await context.signer.sign('invite', { id, email: to }, weekMs);
    sendMail(context, { name: 'invite', to, link, token, project });
  }
}

export async function acceptInvitation(
  context: AuthContext,
  { token, password }: { readonly token: string; readonly password: string },
  client: ClientFacts,
): Promise<void> {
  await context.limiter.take('password-reset', `invite ${addressKey(client.ip)}`);
  const { claims } = await context.signer.verify('invite', token);
  const account = await findAccount(context, context.driver, String(claims['id']));
  if (account?.status !== 'invited') throw invalidInvite();
  // Who was invited by mistake, at another address, is not the user. Earlier invitations name no address.
  if ((claims['email'] ?? account.email) !== account.email) throw invalidInvite();
  const hashed = await hashChosenPassword(context, password);
  const where = { id: account.id, status: 'invited' };
  const taken = await changeAccounts(context, (connection) =>
    context.tables.users.update(connection, { password: hashed, status: 'active' }, where),
  );
  if (taken !== 1) throw invalidInvite();
}

const invalidInvite = () => serviceError('INVALID_INVITE', 'Invitation link is invalid.');

export interface ShareInvitations {
  /** The key of the share. */
  readonly share: string;
  readonly emails: readonly string[];
  /** The page that opens the share, instead of Studio's. */
  readonly share_url: string | null;
}

/** Mails the link of a share. Who may send it is up to the caller of this function. */
export async function inviteToShare(
  context: AuthContext,
  caller: Caller,
  { share, emails, share_url: target }: ShareInvitations,
): Promise<void> {
  const page = servicePage(context, `/admin/shared/${encodeURIComponent(share)}`);
  const link = chooseLinkTarget(target, context.options.allowedUrls, page, 'share_url');
  await context.limiter.take('mail', `shares of ${ownKey(caller)}`);
  const { project } = await readAccountSettings(context, context.driver);
  for (const to of new Set(emails)) sendMail(context, { name: 'share', to, link, token: null, project });
}
