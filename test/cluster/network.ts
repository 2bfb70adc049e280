// Connections between programs of a test, through proxies that the test can slow down and cut.

import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to one server. */
export interface Link {
  readonly port: number;
  /** Every answer arrives so much later, on all connections. */
  delay(ms: number): void;
  close(): Promise<void>;
}

export async function openLink(target: number): Promise<Link> {
  const sockets = new Set<Socket>();
  let delayMs = 0;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    pair(sockets, client, upstream);
    client.on('data', (data) => upstream.write(data));
    // In order, although the delay may become shorter meanwhile.
    let last = Promise.resolve();
    upstream.on('data', (data) => {
      const arrived = new Promise((resolve) => setTimeout(resolve, delayMs));
      last = Promise.all([last, arrived]).then(() => void client.write(data));
    });
  });
  await listen(server, 0, '127.0.0.1');
  return {
    port: (server.address() as AddressInfo).port,
    delay(ms) {
      delayMs = ms;
    },
    close: () => end([server], sockets),
  };
}

/** The network of a Galera cluster: its nodes know each other by addresses of this proxy. */
export interface ClusterNetwork {
  /** Where a node with this port is found. */
  readonly host: string;
  /** Makes a node, which listens at 127.0.0.1 on this port, reachable for the others. */
  add(port: number): Promise<void>;
  /** From now on nothing passes between this node and the others; connections stay open, as with a cable that was pulled. */
  cut(port: number): void;
  /** What was sent meanwhile is lost, and so are its connections. */
  restore(port: number): void;
  close(): Promise<void>;
}

/** A second address of this machine. A node takes the address that a connection comes from for that of the node behind it. */
const switchHost = '127.0.0.2';

export function openClusterNetwork(): ClusterNetwork {
  const sockets = new Set<Socket>();
  const servers: Server[] = [];
  const cutOff = new Set<number>();
  /** The two nodes of a connection; who has opened it is known after its first words. */
  const ends = new Map<Socket, Set<number>>();
  const passes = (nodes: ReadonlySet<number>): boolean => ![...nodes].some((port) => cutOff.has(port));
  return {
    host: switchHost,
    async add(port) {
      const server = createServer((client) => {
        const upstream = connect({ port, host: '127.0.0.1', localAddress: switchHost });
        const nodes = new Set([port]);
        pair(sockets, client, upstream);
        ends.set(client, nodes);
        client.on('close', () => ends.delete(client));
        client.on('data', (data) => {
          // A node introduces itself by the address at which it listens.
          const own = nodes.size > 1 ? null : /tcp:\/\/127\.0\.0\.1:(\d+)/.exec(data.toString('latin1'));
          if (own !== null) nodes.add(Number(own[1]));
          if (passes(nodes)) upstream.write(data);
        });
        upstream.on('data', (data) => {
          if (passes(nodes)) client.write(data);
        });
      });
      servers.push(server);
      await listen(server, port, switchHost);
    },
    cut: (port) => void cutOff.add(port),
    restore(port) {
      for (const [socket, nodes] of ends) if (nodes.has(port)) socket.destroy();
      cutOff.delete(port);
    },
    close: () => end(servers, sockets),
  };
}

/** When one of the two ends, so does the other. */
function pair(sockets: Set<Socket>, client: Socket, upstream: Socket): void {
  for (const [socket, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
  }
}

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

async function end(servers: readonly Server[], sockets: ReadonlySet<Socket>): Promise<void> {
  const ended = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
  for (const socket of sockets) socket.destroy();
  await Promise.all(ended);
}
