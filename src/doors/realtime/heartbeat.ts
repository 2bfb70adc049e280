// Ends connections whose client has vanished and would otherwise hold its place forever.

import type { WebSocket } from 'ws';

interface HeartbeatOptions {
  /** null: no heartbeat. */
  readonly periodMs: number | null;
  readonly ping: () => void;
  /** Whether answers of the client cannot arrive at the moment, so that its silence means nothing. */
  readonly isExcused: (periodMs: number) => boolean;
  readonly onSilence: () => void;
}

/** Pings once per period until the socket closes. Any frame of the client within a period is a sign of life, as soon as it arrives. */
export function watchHeartbeat(socket: WebSocket, { periodMs, ping, isExcused, onSilence }: HeartbeatOptions): void {
  if (periodMs === null || socket.readyState !== socket.OPEN) return;
  let isAlive = true;
  const note = (): void => {
    isAlive = true;
  };
  socket.on('message', note).on('ping', note).on('pong', note);
  const timer = setInterval(() => {
    const excused = isExcused(periodMs);
    if (isAlive || excused) ping();
    else onSilence();
    // An excused client has the whole next period to answer.
    isAlive = excused;
  }, periodMs).unref();
  socket.on('close', () => clearInterval(timer));
}
