// HAProxy with a configuration of the test.

import { connect } from 'node:net';
import { freePort } from '../harness/throw-away-server.js';
import { makeDaemon } from './daemon.js';

export interface Haproxy {
  /** Host and port at which it listens. */
  readonly address: string;
  stop(): Promise<void>;
}

/** `write`: the configuration, by the address to listen at. */
export async function startHaproxy(write: (address: string) => string): Promise<Haproxy> {
  const daemon = makeDaemon('haproxy', 'haproxy', 'nobody');
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  await daemon.start(['-db', '-f', daemon.file('haproxy.cfg', write(address))], () => isListening(port));
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
