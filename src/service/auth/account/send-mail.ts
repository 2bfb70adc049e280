// Sends the mails about an account in the background, so that the time of an answer does not reveal whether a mail was sent.

import { type MessageName, writeMessage } from '../../mail/account-messages.js';
import type { AuthContext } from '../auth-context.js';
import { withToken } from './allowed-url.js';

export interface AccountMail {
  readonly name: MessageName;
  readonly to: string;
  readonly link: string;
  /** Added to the link. */
  readonly token: string | null;
  readonly project: string;
}

export function sendMail({ mailer, report }: AuthContext, { name, to, link, token, project }: AccountMail): void {
  mailer.send(writeMessage(name, to, token === null ? link : withToken(link, token), project)).catch(report);
}

/** The address of a page of the service. */
export const servicePage = ({ options }: AuthContext, path: string): string => `${options.publicUrl.replace(/\/+$/, '')}${path}`;
