// A proxy to a database server that can fall silent: it keeps connections and accepts new ones, but forwards nothing. It can be dead, too.

import { connect, createServer, type Socket } from 'node:net';

export interface SilentProxy {
  /** The address of the database through the proxy. */
  readonly url: string;
  silence(): void;
  /** Closes all connections and refuses new ones. */
  die(): Promise<void>;
  /** Closes all connections, and forwards again for new ones. What was sent meanwhile is lost. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

export async function openSilentProxy(databaseUrl: string): Promise<SilentProxy> {
  const target = new URL(databaseUrl);
  const port = Number(target.port === '' ? (target.protocol.startsWith('postgres') ? 5432 : 3306) : target.port);
  const sockets = new Set<Socket>();
  let silent = false;

  const server = createServer((client) => {
    const upstream = connect(port, target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => {
        if (!silent) to.write(data);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        if (!silent) to.destroy();
      });
    }
  });
  const listen = (at: number): Promise<void> => new Promise((resolve) => server.listen(at, '127.0.0.1', resolve));
  await listen(0);
  const address = server.address();
  target.hostname = '127.0.0.1';
  target.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const end = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    cut();
    await closed;
  };
  return {
    url: target.href,
    silence() {
      silent = true;
    },
    die: end,
    async resume() {
      cut();
      silent = false;
      if (!server.listening) await listen(Number(target.port));
    },
    async close() {
      if (server.listening) await end();
    },
  };
}
