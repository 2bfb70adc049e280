// The mails of the service: password reset, invitation, address verification, a linked account, a shared item, a trial. Each is a short text and one link.

import { type Message, oneLine } from './mailer.js';
import { escapeHtml } from './simple-html.js';

interface Template {
  readonly subject: string;
  readonly text: string;
  /** The text of the link. */
  readonly action: string;
}

const templates = {
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
  linked: {
    subject: 'A new way to log in to {project}',
    text: 'Your account at {project} can now be used by another login service that knows your address. If this was not you, contact an administrator.',
    action: 'Open it',
  },
  trial: {
    subject: 'A test mail of {project}',
    text: 'An administrator of {project} asked for this mail, to see whether mails arrive. This one did.',
    action: 'Open it',
  },
  share: {
    subject: 'An item of {project} has been shared with you',
    text: 'An item of {project} has been shared with you.',
    action: 'Open it',
  },
} as const satisfies Record<string, Template>;

export type MessageName = keyof typeof templates;

export function writeMessage(name: MessageName, to: string, link: string, project: string): Message {
  const template: Template = templates[name];
  const text = template.text.replace('{project}', () => project);
  return {
    to,
    subject: oneLine(template.subject.replace('{project}', () => project)),
    text: `${text}\n\n${template.action}: ${link}\n`,
    html: `<p>${escapeHtml(text)}</p><p><a href="${escapeHtml(link)}">${escapeHtml(template.action)}</a></p>`,
  };
}
