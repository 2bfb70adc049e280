// Requests for a protocol upgrade. A WebSocket handshake runs through the frame like any request, under an internal path, so that the same
// hooks authenticate and refuse it; the route that accepts it takes the socket. Other upgrades are ignored, as HTTP allows.

import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface Upgrade {
  readonly socket: Socket;
  /** What the client sent after its handshake. */
  readonly head: Buffer;
}

/** The paths of handshakes inside the frame: /websocket becomes /upgrade/websocket. Requests from outside cannot use them. */
export const upgradePrefix = '/upgrade';

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** null for a request that is no handshake. */
export const upgradeOf = (request: IncomingMessage): Upgrade | null => upgrades.get(request) ?? null;

interface UpgradeTarget {
  readonly server: Server;
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** The path inside the service of a URL that was asked for. */
  readonly route: (url: string) => string;
}

export function handleUpgrade({ server, handler, route }: UpgradeTarget, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  if (!(socket instanceof Socket) || request.headers.upgrade?.toLowerCase() !== 'websocket') {
    continueWithoutUpgrade(server, request, socket, head);
    return;
  }
  socket.on('error', () => socket.destroy());
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.end());
  upgrades.set(request, { socket, head });
  request.url = `${upgradePrefix}${route(request.url ?? '/')}`;
  handler(request, response);
}

/**
 * Clients may offer HTTP/2 with any request, Java's with each. Once the server listens for upgrades, Node no longer answers such requests, so
 * the request is given back to it without the offer.
 */
function continueWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { rawHeaders, method, url, httpVersion } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!/^(?:upgrade|connection|http2-settings)$/i.test(name)) lines.push(`${name}: ${rawHeaders[at + 1] ?? ''}`);
  }
  // Those of the server itself: it adds them again to what it takes for a new connection.
  socket.removeAllListeners('timeout');
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
