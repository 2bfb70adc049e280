// Mails leave in the background: nobody learns from the time of an answer whether one was sent.

import { type LetterName, writeLetter } from '../mail/account-messages.js';
import { withToken } from './allowed-url.js';
import type { AuthContext } from './auth-context.js';

export interface Letter {
  readonly name: LetterName;
  readonly to: string;
  /** The page to link to; the token is added. */
  readonly link: string;
  readonly token: string;
  readonly project: string;
}

export function sendLetter({ mailer, report }: AuthContext, { name, to, link, token, project }: Letter): void {
  mailer.send(writeLetter(name, to, withToken(link, token), project)).catch(report);
}

/** A page of the service itself. */
export const ownPage = ({ options }: AuthContext, path: string): string => `${options.publicUrl.replace(/\/+$/, '')}${path}`;
