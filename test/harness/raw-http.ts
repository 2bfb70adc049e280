// Sends raw bytes, as no client library would, and returns what comes back until the service closes the connection.

import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

/** Writes the parts with a pause between them, and leaves it to the service to close the socket. */
export function sendRaw(url: string, parts: readonly (string | Uint8Array)[], pauseMs = 0): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const started = performance.now();
    const socket = connect({ host: hostname, port: Number(port) });
    socket.setTimeout(90_000, () => socket.destroy(new Error('the service neither answers nor closes')));
    socket.on('data', (chunk) => chunks.push(chunk));
    // A client that is cut off while it sends receives the answer first and then an error.
    socket.on('error', (error) => (chunks.length === 0 ? reject(error) : undefined));
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString();
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text, ms: performance.now() - started });
    });
    void write(socket, parts, pauseMs);
  });
}

async function write(socket: ReturnType<typeof connect>, parts: readonly (string | Uint8Array)[], pauseMs: number): Promise<void> {
  for (const part of parts) {
    if (!socket.writable) return;
    socket.write(part);
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Whether a server accepts connections there. */
export function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
