// The server socket. It listens before the service is ready: until the gate is opened only /server/ping is answered, everything else
// is SERVICE_UNAVAILABLE. Closing it lets accepted requests finish.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { serviceError } from '../../core/errors/service-error.js';
import { errorText } from './answer-error.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Gate {
  /** For the HTTP frame: keeps its handler for `open`. */
  attach(handler: Handler): Server;
  open(): void;
  /** Resolves to the address. */
  listen(host: string, port: number): Promise<string>;
  close(): Promise<void>;
}

const notReady = errorText(
  serviceError('SERVICE_UNAVAILABLE', 'The service is starting: its database is not ready yet.', { service: 'database' }),
);

export function createGate(): Gate {
  let handler: Handler = answerWhileWaiting;
  let attached: Handler = answerWhileWaiting;
  const server = createServer({
    maxHeaderSize: 32 * 1024,
    headersTimeout: 15_000,
    // Uploads may take long; JSON bodies have a deadline of their own.
    requestTimeout: 600_000,
    keepAliveTimeout: 72_000,
    connectionsCheckingInterval: 5_000,
  });
  const silent = trackSilent(server);
  server.on('request', (request, response) => {
    silent.delete(request.socket);
    if (!hasBody(request)) request.read();
    handler(request, response);
  });
  return {
    attach(made) {
      attached = made;
      return server;
    },
    open() {
      handler = attached;
    },
    listen: (host, port) => listen(server, host, port),
    close: () => finish(server, silent),
  };
}

/**
 * When an answer is out Node reads what the handler has left unread, and ends and destroys the request behind it, which is a sixth of a read
 * by key. It leaves alone what has been asked for; of a request without a body nothing more will come.
 */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

function answerWhileWaiting(request: IncomingMessage, response: ServerResponse): void {
  if (request.method === 'GET' && /^\/server\/ping\/?(\?|$)/.test(request.url ?? '')) {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('pong');
    return;
  }
  response.writeHead(503, { 'content-type': 'application/json; charset=utf-8', 'retry-after': '1', connection: 'close' }).end(notReady);
}

function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      const bound = address !== null && typeof address === 'object' ? address.port : port;
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${bound}`);
    });
  });
}

/** Connections without a request so far, as browsers and balancers open them ahead: the server takes them for busy. */
function trackSilent(server: Server): Set<Socket> {
  const silent = new Set<Socket>();
  server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  return silent;
}

/** Connections that are kept alive become idle when their answer is out; they are closed then, not when the client wishes. */
function finish(server: Server, silent: ReadonlySet<Socket>): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve) => {
    const sweep = (): void => {
      server.closeIdleConnections();
      for (const socket of silent) if (socket.bytesRead === 0) socket.destroy();
    };
    const sweeping = setInterval(sweep, 50);
    server.close(() => {
      clearInterval(sweeping);
      resolve();
    });
    sweep();
  });
}
