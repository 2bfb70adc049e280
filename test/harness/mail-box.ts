// A mail server that stores what it receives, so that tests can follow the links in mails.

import { createServer, type Socket } from 'node:net';

export interface Letter {
  readonly to: string;
  readonly text: string;
}

export interface MailBox {
  readonly url: string;
  /** The next mail to this address, oldest first; rejects when none arrives. */
  next(to: string): Promise<Letter>;
  /** The number of unread mails to this address. */
  count(to: string): number;
  close(): Promise<void>;
}

export async function openMailBox(): Promise<MailBox> {
  const letters: Letter[] = [];
  const server = createServer((socket) => takeLetters(socket, (letter) => letters.push(letter)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    count: (to) => letters.filter((letter) => letter.to === to).length,
    async next(to) {
      for (let tries = 0; tries < 1_200; tries += 1) {
        const at = letters.findIndex((letter) => letter.to === to);
        const [letter] = at < 0 ? [] : letters.splice(at, 1);
        if (letter !== undefined) return letter;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error(`no letter to ${to}`);
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The part of SMTP that a client needs to send one mail per connection. */
function takeLetters(socket: Socket, keep: (letter: Letter) => void): void {
  let to = '';
  let body: string | null = null;
  const say = (line: string): boolean => socket.write(`${line}\r\n`);
  say('220 test');
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    const text = chunk.toString();
    if (body !== null) {
      body += text;
      if (!body.endsWith('\r\n.\r\n')) return;
      keep({ to, text: decode(body) });
      body = null;
      say('250 taken');
    } else if (text.startsWith('DATA')) {
      body = '';
      say('354 go on');
    } else if (text.startsWith('QUIT')) socket.end('221 bye\r\n');
    else {
      to = /^RCPT TO:<([^>]*)>/m.exec(text)?.[1] ?? to;
      say('250 ok');
    }
  });
}

/** Takes away the dot by which SMTP marks a line that begins with one, and decodes quoted-printable, the encoding of long links. */
const decode = (text: string): string =>
  text
    .replace(/^\.\./gm, '.')
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** The first link of a mail, and its token. */
export function linkOf({ text }: Letter): { readonly link: string; readonly token: string } {
  const link = /https?:\/\/[^\s"<]+/.exec(text)?.[0] ?? '';
  return { link, token: new URL(link).searchParams.get('token') ?? '' };
}
