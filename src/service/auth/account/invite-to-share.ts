// Mails with the link of a share. Who may send them is up to the caller of this function.

import type { Caller } from '../../../core/access/view.js';
import type { AuthContext } from '../auth-context.js';
import { readAccountSettings } from '../settings.js';
import { chooseLinkTarget } from './allowed-url.js';
import { ownKey } from './own-account.js';
import { sendMail, servicePage } from './send-mail.js';

export interface ShareInvitations {
  /** The key of the share. */
  readonly share: string;
  readonly emails: readonly string[];
  /** The page that opens the share, instead of Studio's. */
  readonly share_url: string | null;
}

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
