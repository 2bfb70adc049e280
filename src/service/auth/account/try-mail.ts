// Sends a test mail to the administrator who asks for it. Unlike other mails it is sent before the answer, which contains what the mail
// server said.

import type { Caller } from '../../../core/access/view.js';
import { refusal } from '../../../core/errors/refusals.js';
import { invalidPayload } from '../../../core/errors/service-error.js';
import { writeMessage } from '../../mail/account-messages.js';
import type { AuthContext } from '../auth-context.js';
import { readAccountSettings } from '../settings.js';
import { ownKey } from './own-account.js';
import { servicePage } from './send-mail.js';

export const mailStates = ['sent', 'refused', 'unconfigured'] as const;

export interface MailTrial {
  readonly to: string;
  readonly state: (typeof mailStates)[number];
  /** What the mail server said, or what to do. */
  readonly message: string;
}

/** An unreachable mail server would keep the request waiting for minutes. */
const patienceMs = 15_000;
const longest = 1000;

const unconfigured =
  'No mail server is configured: the mail was written to the log. Set MAIL_URL (smtp://user:password@host:port, or smtps://…) and MAIL_FROM (the address of the sender), and start the service again.';

export async function tryMail(context: AuthContext, caller: Caller): Promise<MailTrial> {
  const user = ownKey(caller);
  await context.limiter.take('mail', `trials of ${user}`);
  const [account] = await context.tables.users.read(context.driver, ['email'], { id: user });
  const to = account?.email ?? null;
  if (to === null) throw invalidPayload(refusal('no_address'));
  const { project } = await readAccountSettings(context, context.driver);
  try {
    const response = await withinTime(context.mailer.send(writeMessage('trial', to, servicePage(context, '/admin/'), project)));
    return response === null ? { to, state: 'unconfigured', message: unconfigured } : { to, state: 'sent', message: shorten(response) };
  } catch (error) {
    return { to, state: 'refused', message: shorten(error instanceof Error ? error.message : String(error)) };
  }
}

async function withinTime<T>(sending: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The mail server did not answer within ${patienceMs / 1000} seconds.`)), patienceMs);
  });
  try {
    return await Promise.race([sending, over]);
  } finally {
    clearTimeout(timer);
  }
}

const shorten = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, longest);
