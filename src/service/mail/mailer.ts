// Sending mail: over SMTP, or as a line in the log. The log is the default, so that a first start works without a mail server.

import type { Transporter } from 'nodemailer';

export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly cc?: string;
  readonly bcc?: string;
  readonly replyTo?: string;
}

export interface Mailer {
  /** Whether messages reach their recipients; else they are in the log only. */
  readonly delivers: boolean;
  /** Resolves to what the mail server said when it accepted the message, to null when there is only the log; rejects when it was not accepted. */
  send(message: Message): Promise<string | null>;
}

export interface MailOptions {
  /** `smtp://user:password@host:port` or `smtps://…`; null writes messages to the log. */
  readonly smtpUrl: string | null;
  readonly from: string;
}

/** A line break in a subject would start another header. */
export const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');

export type MailLog = (text: string, details: Readonly<Record<string, unknown>>) => void;

export function openMailer(options: MailOptions, log: MailLog): Mailer {
  return options.smtpUrl === null ? logMailer(log) : smtpMailer(options.smtpUrl, options.from);
}

/** Logs the whole text including its link, because the log is how the message is delivered. */
const logMailer = (log: MailLog): Mailer => ({
  delivers: false,
  async send({ to, subject, text }) {
    log('mail', { to, subject, text });
    return null;
  },
});

/** Loads the mail package with the first message. */
function smtpMailer(url: string, from: string): Mailer {
  let opening: Promise<Transporter> | null = null;
  return {
    delivers: true,
    async send(message: Message) {
      opening ??= import('nodemailer').then(({ createTransport }) => createTransport(url));
      const transport = await opening;
      const { response } = (await transport.sendMail({ from, ...message })) as { readonly response?: unknown };
      return String(response ?? '');
    },
  };
}
