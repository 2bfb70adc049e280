// A proxy to a database server that can fall silent: it keeps connections and accepts new ones, but forwards nothing.

import { connect, createServer, type Socket } from 'node:net';

export interface SilentProxy {
  /** The address of the database through the proxy. */
  readonly url: string;
  silence(): void;
  /** Closes all connections, and forwards again for new ones. What was sent meanwhile is lost. */
  resume(): void;
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  target.hostname = '127.0.0.1';
  target.port = String(typeof address === 'object' && address !== null ? address.port : 0);
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: target.href,
    silence() {
      silent = true;
    },
    resume() {
      cut();
      silent = false;
    },
    close() {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
