// The letters an account brings: password reset, invitation, address check. Each is a short text and one link.

import { escapeHtml } from './escape-html.js';
import type { Message } from './message.js';

interface Letter {
  readonly subject: string;
  readonly text: string;
  readonly action: string;
}

const letters = {
  'password-reset': {
    subject: 'Password reset request',
    text: 'We received a request to reset the password of your account at {project}. If you did not make it, ignore this message: nothing changes.',
    action: 'Reset your password',
  },
  invite: {
    subject: 'You have been invited to {project}',
    text: 'You have been invited to join {project}. The link is good for seven days.',
    action: 'Accept the invitation',
  },
  'verify-email': {
    subject: 'Verify your email address',
    text: 'Thank you for registering at {project}. Please confirm that this address is yours.',
    action: 'Verify your address',
  },
} as const satisfies Record<string, Letter>;

export type LetterName = keyof typeof letters;

export function writeLetter(name: LetterName, to: string, link: string, project: string): Message {
  const letter: Letter = letters[name];
  const text = letter.text.replace('{project}', () => project);
  return {
    to,
    subject: oneLine(letter.subject.replace('{project}', () => project)),
    text: `${text}\n\n${letter.action}: ${link}\n`,
    html: `<p>${escapeHtml(text)}</p><p><a href="${escapeHtml(link)}">${escapeHtml(letter.action)}</a></p>`,
  };
}

/** A line break in a subject would begin another header. */
const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');
