// What a mail is before any transport sees it.

export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  /** Resolves when the transport took the message; rejects when it could not. */
  send(message: Message): Promise<void>;
}
