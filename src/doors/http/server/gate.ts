// The server socket. It listens before the service is ready: until `open`, /server/ping answers, /server/health reports an error, and
// everything else is SERVICE_UNAVAILABLE. `close` lets accepted requests finish. A base path is removed here, so that nothing behind the gate
// knows of it.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { serviceError } from '../../../core/errors/service-error.js';
import { unhealthy } from '../../../service/describe/health.js';
import { errorText } from '../answer/answer-error.js';
import { carriesBody, endAfterBody } from '../body/drop-body.js';
import { takeTurns } from './take-turns.js';
import { handleUpgrade } from './upgrades.js';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface Gate {
  /** Stores the HTTP frame's handler, which answers from `open` on. */
  attach(handler: Handler): Server;
  open(): void;
  /** Handles a request of another server as the gate's own server would. */
  handle: Handler;
  /** Resolves to the address. */
  listen(host: string, port: number): Promise<string>;
  close(): Promise<void>;
}

const notReady = errorText(
  serviceError('SERVICE_UNAVAILABLE', 'The service is starting: its database is not ready yet.', { service: 'database' }),
);

const unhealthyText = JSON.stringify(unhealthy);

/** `basePath`: a path in front of the service's own, which a proxy or an embedding server leaves in URLs. URLs without it work as well. */
export function createGate(basePath = ''): Gate {
  let handler: Handler = answerWhileWaiting;
  let attached: Handler = answerWhileWaiting;
  const server = createServer({
    maxHeaderSize: 32 * 1024,
    headersTimeout: 15_000,
    // Uploads may take long. JSON bodies have their own deadline (BODY_TIMEOUT).
    requestTimeout: 600_000,
    keepAliveTimeout: 72_000,
    connectionsCheckingInterval: 5_000,
  });
  const silent = trackSilent(server);
  const start = takeTurns<Parameters<Handler>>((request, response) => handler(request, response));
  const base = basePath.replace(/\/+$/, '');
  const route = (url: string): string => withoutBase(url, base);
  const serve: Handler = (request, response) => {
    silent.delete(request.socket);
    // After an answer Node drains and destroys a request that the handler has not read, which takes a sixth of the time of a read by key.
    // It skips a request that was read from; one without a body has nothing to read, so this call only marks it.
    if (!carriesBody(request.headers)) request.read();
    start(request, response);
  };
  const serveBelowBase: Handler = (request, response) => {
    const { url = '/' } = request;
    if (isBaseItself(url, base)) {
      redirectInto(base, request, response);
      return;
    }
    request.url = route(url);
    serve(request, response);
  };
  const handle = base === '' ? serve : serveBelowBase;
  server.on('request', handle);
  server.on('upgrade', (request, socket, head) => handleUpgrade({ server, handler: serve, route }, request, socket, head));
  return {
    handle,
    attach(made) {
      attached = made;
      return server;
    },
    open() {
      handler = attached;
    },
    listen: (host, port) => listen(server, host, port),
    async close() {
      await acceptWaiting(server);
      await finish(server, silent);
    },
  };
}

const withoutBase = (url: string, base: string): string => (base !== '' && url.startsWith(`${base}/`) ? url.slice(base.length) : url);

const isBaseItself = (url: string, base: string): boolean => base !== '' && (url === base || url.startsWith(`${base}?`));

/** The links of the pages are relative: they need the slash at the end. */
function redirectInto(base: string, request: IncomingMessage, response: ServerResponse): void {
  const query = request.url?.slice(base.length) ?? '';
  response.writeHead(308, { location: `${base.slice(base.lastIndexOf('/') + 1)}/${query}`, 'content-length': 0 });
  endAfterBody(request, response, '');
}

function answerWhileWaiting(request: IncomingMessage, response: ServerResponse): void {
  const asked = /^\/server\/(ping|health)\/?(?:\?|$)/.exec(request.method === 'GET' ? (request.url ?? '') : '')?.[1];
  if (asked === 'ping') {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('pong');
    return;
  }
  const [type, text] = asked === 'health' ? ['application/health+json', unhealthyText] : ['application/json', notReady];
  const length = Buffer.byteLength(text);
  response.writeHead(503, { 'content-type': `${type}; charset=utf-8`, 'content-length': length, 'retry-after': '1', connection: 'close' });
  endAfterBody(request, response, text);
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

/** Connections that have sent no request yet, as browsers and load balancers open them in advance: Node counts them as busy. */
function trackSilent(server: Server): Set<Socket> {
  const silent = new Set<Socket>();
  const known = new WeakSet<Socket>();
  server.on('connection', (socket) => {
    // One that offered an upgrade is given back to the server, and has sent a request.
    if (known.has(socket)) return;
    known.add(socket);
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  return silent;
}

/** How long clients that keep connecting can delay the end. */
const acceptingMs = 500;
/** Turns of the event loop without a new connection: nothing waits any more, and what was accepted has been read. */
const quietTurns = 3;

/** Node accepts one connection in each turn of the event loop, and the system resets those that still wait when the listener closes. */
async function acceptWaiting(server: Server): Promise<void> {
  if (!server.listening) return;
  let quiet = 0;
  const onConnection = (): void => {
    quiet = 0;
  };
  server.on('connection', onConnection);
  for (const until = performance.now() + acceptingMs; quiet < quietTurns && performance.now() < until; quiet += 1) await nextTurn();
  server.off('connection', onConnection);
}

/** Closes kept-alive connections as soon as their answer is out, instead of waiting for the client to close them. */
function finish(server: Server, silent: ReadonlySet<Socket>): Promise<void> {
  if (!server.listening) return Promise.resolve();
  return new Promise((resolve) => {
    const sweep = (): void => {
      server.closeIdleConnections();
      for (const socket of silent) if (socket.bytesRead === 0) socket.destroy();
    };
    // The first request of a client that has just connected may be on its way.
    const sweeping = setInterval(sweep, 50);
    server.close(() => {
      clearInterval(sweeping);
      resolve();
    });
    server.closeIdleConnections();
  });
}
