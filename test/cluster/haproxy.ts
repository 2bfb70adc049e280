// HAProxy before servers of the test, each of which answers its checks over HTTP.

import { connect } from 'node:net';
import { freePort } from '../harness/throw-away-server.js';
import { type Daemon, makeDaemon } from './daemon.js';

export interface HaproxyOptions {
  /** How it passes on what it gets: requests, or connections as they are. */
  readonly mode: 'http' | 'tcp';
  /** What it asks of each server; 200 means that it gets connections. */
  readonly check: string;
  readonly servers: readonly HaproxyServer[];
  /** Further lines for the section of the servers. */
  readonly settings?: readonly string[];
}

interface HaproxyServer {
  /** Host and port. */
  readonly address: string;
  /** The port of the checks, if it is another one. */
  readonly checkPort?: number;
}

export interface Haproxy {
  /** Host and port at which it listens. */
  readonly address: string;
  stop(): Promise<void>;
}

export async function startHaproxy({ mode, check, servers, settings = [] }: HaproxyOptions): Promise<Haproxy> {
  const daemon: Daemon = makeDaemon('haproxy', 'haproxy', 'nobody');
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const config = daemon.file(
    'haproxy.cfg',
    [
      'global',
      '  maxconn 500',
      'defaults',
      `  mode ${mode}`,
      '  timeout connect 2s',
      '  timeout client 60s',
      '  timeout server 60s',
      'listen servers',
      `  bind ${address}`,
      `  option httpchk ${check}`,
      '  http-check expect status 200',
      ...settings.map((line) => `  ${line}`),
      ...servers.map(
        ({ address: server, checkPort }, index) =>
          `  server s${index} ${server} check${checkPort === undefined ? '' : ` port ${checkPort}`}`,
      ),
      '',
    ].join('\n'),
  );
  await daemon.start(['-db', '-f', config], () => isListening(port));
  return { address, stop: () => daemon.remove() };
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
