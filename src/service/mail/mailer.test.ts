import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { writeMessage } from './account-messages.js';
import { openMailer } from './mailer.js';

const message = writeMessage('verify-email', 'ann@example.com', 'https://data.example.com/verify', 'Tain');

/** Just enough of an SMTP server to take one message. */
function takeOneMessage(): Promise<{ readonly port: number; readonly received: Promise<string> }> {
  return new Promise((ready) => {
    let finish: (text: string) => void = () => undefined;
    const received = new Promise<string>((resolve) => {
      finish = resolve;
    });
    const server = createServer((socket) => {
      let data: string | null = null;
      socket.write('220 test\r\n');
      socket.on('data', (chunk) => {
        const text = chunk.toString();
        if (data !== null) {
          data += text;
          if (!data.endsWith('\r\n.\r\n')) return;
          finish(data);
          data = null;
          socket.write('250 taken\r\n');
          server.close();
        } else if (text.startsWith('DATA')) {
          data = '';
          socket.write('354 go on\r\n');
        } else if (text.startsWith('QUIT')) socket.end('221 bye\r\n');
        else socket.write('250 ok\r\n');
      });
    });
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      ready({ port: typeof address === 'object' && address !== null ? address.port : 0, received });
    });
  });
}

describe('transports', () => {
  it('without a server messages go to the log', async () => {
    const lines: unknown[] = [];
    await openMailer({ smtpUrl: null, from: 'tain@localhost' }, (text, details) => lines.push([text, details])).send(message);
    expect(lines).toEqual([['mail', { to: 'ann@example.com', subject: message.subject, text: message.text }]]);
  });

  it('an SMTP server gets sender, recipient and both bodies', async () => {
    const { port, received } = await takeOneMessage();
    await openMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'tain@example.com' }, () => undefined).send(message);
    const text = await received;
    expect(text).toMatch(/From: tain@example.com/);
    expect(text).toMatch(/To: ann@example.com/);
    expect(text).toMatch(/text\/plain[\s\S]*text\/html/);
  });

  it('an unreachable server rejects that message', async () => {
    await expect(openMailer({ smtpUrl: 'smtp://127.0.0.1:1', from: 'a@b.c' }, () => undefined).send(message)).rejects.toThrow();
  });
});
