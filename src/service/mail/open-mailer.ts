// The transports: a line in the log, which is the default and lets a first start work without a mail server, or SMTP.

import type { Transporter } from 'nodemailer';
import type { Mailer, Message } from './message.js';

export interface MailOptions {
  /** `smtp://user:password@host:port` or `smtps://…`; null: messages go to the log. */
  readonly smtpUrl: string | null;
  readonly from: string;
}

export type MailLog = (text: string, details: Readonly<Record<string, unknown>>) => void;

export function openMailer(options: MailOptions, log: MailLog): Mailer {
  return options.smtpUrl === null ? logMailer(log) : smtpMailer(options.smtpUrl, options.from);
}

/** The whole text is written out, its link included: this is how the message is delivered, and the log's reader is its postman. */
const logMailer = (log: MailLog): Mailer => ({
  async send({ to, subject, text }) {
    log('mail', { to, subject, text });
  },
});

function smtpMailer(url: string, from: string): Mailer {
  let opening: Promise<Transporter> | null = null;
  return {
    async send(message: Message) {
      opening ??= import('nodemailer').then(({ createTransport }) => createTransport(url));
      const transport = await opening;
      await transport.sendMail({ from, ...message });
    },
  };
}
