// The mail about a notification: its subject, its text, and the way to the item it is about.

import { type Message, oneLine } from './mailer.js';
import { escapeHtml, markdownToHtml } from './simple-html.js';

export interface NotificationLetter {
  readonly to: string;
  readonly subject: string;
  /** Markdown. */
  readonly message: string | null;
  /** The page of what it is about; null without an admin application. */
  readonly link: string | null;
  /** The page on which the recipient turns these mails off. */
  readonly account: string | null;
  readonly project: string;
}

/** The rest is in the notification itself. */
const maxLength = 10_000;

export function writeNotification({ to, subject, message, link, account, project }: NotificationLetter): Message {
  const text = (message ?? '').slice(0, maxLength);
  const end = `You get this mail because notifications of ${project} are mailed to you.`;
  const action = 'Open it';
  return {
    to,
    subject: oneLine(subject),
    text: [
      ...(text === '' ? [subject] : [text]),
      ...(link === null ? [] : [`${action}: ${link}`]),
      account === null ? end : `${end} Turn it off: ${account}`,
    ].join('\n\n'),
    html: [
      text === '' ? `<p>${escapeHtml(subject)}</p>` : markdownToHtml(text),
      ...(link === null ? [] : [`<p><a href="${escapeHtml(link)}">${action}</a></p>`]),
      `<p><small>${escapeHtml(end)}${account === null ? '' : ` <a href="${escapeHtml(account)}">Turn it off</a>`}</small></p>`,
    ].join(''),
  };
}
