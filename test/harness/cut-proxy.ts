// A TCP proxy that cuts the connection at the Nth packet of a client, before or after it forwards the packet.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type FaultPoint, makeFaultPoint } from './fault-point.js';

export interface CutProxy {
  readonly port: number;
  readonly faults: FaultPoint;
  /** While silent it forwards nothing in either direction and keeps all connections; afterwards it forwards what arrived meanwhile. */
  silence(on: boolean): void;
  /** Resolves when the server has noticed every cut: it has done what it had received, and given up the rest. */
  settled(): Promise<void>;
  stop(): void;
}

export async function startCutProxy(target: { readonly host: string; readonly port: number }, passesOn = false): Promise<CutProxy> {
  const faults = makeFaultPoint();
  const open = new Set<Socket>();
  const cut = new Set<Promise<unknown>>();
  let silent = false;
  const server = createServer((client) => {
    const upstream = connect(target);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      if (silent) socket.pause();
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        // The end follows what was sent: the server closes its side when it has come so far.
        if (socket === client) upstream.end();
        else other.destroy();
      });
    }
    upstream.on('data', (chunk) => client.write(chunk));
    client.on('data', (chunk) => {
      const strikes = faults.strikes();
      if (strikes) cut.add(new Promise((resolve) => upstream.once('close', resolve)));
      if (!strikes) upstream.write(chunk);
      else if (passesOn) upstream.write(chunk, () => client.destroy());
      else client.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    faults,
    silence(on) {
      silent = on;
      for (const socket of open) {
        if (on) socket.pause();
        else socket.resume();
      }
    },
    async settled() {
      await Promise.all(cut);
      cut.clear();
    },
    stop: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
