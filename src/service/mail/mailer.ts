// Sending mail: over SMTP, or as a line in the log. The log is the default, so that a first start works without a mail server.

import type { Transporter } from 'nodemailer';

export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  /** Resolves when the transport has accepted the message, rejects when it has not. */
  send(message: Message): Promise<void>;
}

export interface MailOptions {
  /** `smtp://user:password@host:port` or `smtps://…`; null writes messages to the log. */
  readonly smtpUrl: string | null;
  readonly from: string;
}

export type MailLog = (text: string, details: Readonly<Record<string, unknown>>) => void;

export function openMailer(options: MailOptions, log: MailLog): Mailer {
  return options.smtpUrl === null ? logMailer(log) : smtpMailer(options.smtpUrl, options.from);
}

/** Logs the whole text including its link, because the log is how the message is delivered. */
const logMailer = (log: MailLog): Mailer => ({
  async send({ to, subject, text }) {
    log('mail', { to, subject, text });
  },
});

/** Loads the mail package with the first message. */
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
