// What no client library would send: bytes on a bare socket, and whatever comes back until the other side closes.

import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

/** Writes the parts with a pause between them; the socket is left open for the service to close. */
export function sendRaw(url: string, parts: readonly (string | Uint8Array)[], pauseMs = 0): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const started = performance.now();
    const socket = connect({ host: hostname, port: Number(port) });
    socket.setTimeout(30_000, () => socket.destroy(new Error('the service neither answers nor closes')));
    socket.on('data', (chunk) => chunks.push(chunk));
    // Whoever is cut off while still sending sees the answer, and then an error.
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
