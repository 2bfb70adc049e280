import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { SocketReads } from './socket-reads.js';

const count = 1_000;
const opened: Socket[] = [];
const server = createServer({ allowHalfOpen: true });

/** So many clients, and the sockets of the service for them. */
async function open(reads: SocketReads): Promise<{ readonly clients: readonly Socket[]; readonly sockets: readonly Socket[] }> {
  const sockets: Socket[] = [];
  server.removeAllListeners('connection').on('connection', (socket) => {
    socket.on('data', () => undefined);
    reads.watch(socket);
    sockets.push(socket);
  });
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const clients: Socket[] = [];
  for (let at = 0; at < count; at += 100) {
    const some = Array.from({ length: 100 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    await Promise.all(some.map((client) => once(client, 'connect')));
    clients.push(...some);
  }
  while (sockets.length < count) await new Promise(setImmediate);
  opened.push(...clients, ...sockets);
  return { clients, sockets };
}

/** The most events of a turn of the event loop, when `act` has caused one of each socket. */
async function mostPerTurn(sockets: readonly Socket[], event: 'data' | 'end' | 'error', act: () => void): Promise<number> {
  let [all, ofTurn, most] = [0, 0, 0];
  for (const socket of sockets)
    socket.once(event, () => {
      all += 1;
      ofTurn += 1;
      most = Math.max(most, ofTurn);
    });
  act();
  // What the system has to report is there when the turn of a timer ends.
  while (all < sockets.length) {
    ofTurn = 0;
    await new Promise(setImmediate);
  }
  return most;
}

afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});

it.each([
  ['leave', 'end', (client: Socket) => client.end()],
  ['are reset', 'error', (client: Socket) => client.resetAndDestroy()],
  ['send', 'data', (client: Socket) => client.write('x')],
] as const)('of a thousand sockets that %s at once a few are read in each turn', async (_, event, leave) => {
  const { clients, sockets } = await open(new SocketReads());
  // Those of the turn in which it is noticed are read, and a hundred in each of the next ones.
  expect(await mostPerTurn(sockets, event, () => clients.forEach(leave))).toBeLessThanOrEqual(300);
});

it('sockets are read again, in the order of what was sent', async () => {
  const { clients, sockets } = await open(new SocketReads());
  const texts = new Map(sockets.map((socket) => [socket, '']));
  for (const socket of sockets) socket.on('data', (data) => texts.set(socket, texts.get(socket) + String(data)));
  for (const part of ['one ', 'two ', 'three'])
    await mostPerTurn(sockets, 'data', () => {
      for (const client of clients) client.write(part);
    });
  expect([...new Set(texts.values())]).toEqual(['one two three']);
  server.close();
});
