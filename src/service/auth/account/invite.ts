// Invitations. An invited user gets a mail and becomes active by choosing a password.

import type { Caller } from '../../../core/access/view.js';
import { serviceError } from '../../../core/errors/service-error.js';
import { findAccount, findAccountByEmail } from '../account.js';
import type { AuthContext, ClientFacts } from '../auth-context.js';
import { changeAccounts } from '../change-accounts.js';
import { addressKey } from '../limits/limiter.js';
import { hashChosenPassword, readAccountSettings } from '../settings.js';
import { chooseLinkTarget, withToken } from './allowed-url.js';
import { ownKey } from './own-account.js';
import { type AccountMail, sendMail, servicePage } from './send-mail.js';

const weekMs = 7 * 86_400_000;
export const maxInvitations = 100;

export interface Invitations {
  readonly email: readonly string[];
  readonly role: string;
  readonly invite_url: string | null;
}

/** Creates the users with the rights of the caller. Users who are invited to the same role already get another mail. */
export async function inviteUsers(context: AuthContext, caller: Caller, input: Invitations): Promise<void> {
  for (const { mail } of await prepareInvitations(context, caller, input)) sendMail(context, mail);
}

export interface InvitationLink {
  readonly email: string;
  readonly mailed: boolean;
  /** null: it was mailed, or only an administrator may have it. */
  readonly link: string | null;
}

/**
 * The same, but where no mail server is set the caller gets the links, for they are the only way in. The link of an earlier invitation may be
 * to an account with more rights than the caller could give: only administrators get those.
 */
export async function inviteByLinks(context: AuthContext, caller: Caller, input: Invitations): Promise<readonly InvitationLink[]> {
  const prepared = await prepareInvitations(context, caller, input);
  return prepared.map(({ mail, isNew }) => {
    if (context.mailer.delivers || !(isNew || caller.accountability.admin)) {
      sendMail(context, mail);
      return { email: mail.to, mailed: context.mailer.delivers, link: null };
    }
    return { email: mail.to, mailed: false, link: withToken(mail.link, mail.token) };
  });
}

interface PreparedInvitation {
  readonly mail: AccountMail & { readonly token: string };
  /** The caller has just made the account. */
  readonly isNew: boolean;
}

async function prepareInvitations(
  context: AuthContext,
  caller: Caller,
  { email, role, invite_url: target }: Invitations,
): Promise<readonly PreparedInvitation[]> {
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
  const people = [
    ...made.map((id, index) => ({ id, to: fresh[index] ?? '', isNew: true })),
    ...again.map((account) => ({ id: account?.id, to: account?.email ?? '', isNew: false })),
  ];
  return Promise.all(
    people.map(async ({ id, to, isNew }) => {
      const token = await context.signer.sign('invite', { id, email: to }, weekMs);
      return { mail: { name: 'invite', to, link, token, project }, isNew } as const;
    }),
  );
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
