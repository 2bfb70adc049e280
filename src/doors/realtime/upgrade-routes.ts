// Accepts WebSocket handshakes. The frame has authenticated the request by then; a wrong token was answered with 401. The package for
// WebSockets is loaded with the first of them.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WebSocket, WebSocketServer } from 'ws';
import { forbidden, routeNotFound, serviceError } from '../../core/errors/service-error.js';
import { clientOf, tokenOf } from '../http/request/authenticate-request.js';
import { isForeignPage } from '../http/request/cross-site.js';
import { upgradeOf, upgradePrefix } from '../http/server/upgrades.js';
import type { AcceptedSocket } from './connection.js';
import { Identity, type IdentityDeps } from './identity.js';
import type { OpenConnections } from './open-connections.js';
import type { AuthMode } from './socket-protocol.js';
import type { SocketReads } from './socket-reads.js';

export interface UpgradeDeps {
  readonly identity: IdentityDeps;
  readonly connections: OpenConnections;
  /** Origins whose pages may connect, besides the service's own. */
  readonly allowedOrigins: ReadonlySet<string>;
  readonly mode: AuthMode;
  /** The largest message, in bytes. */
  readonly maxMessage: number;
  readonly reads: SocketReads;
}

export interface UpgradeRoute {
  readonly path: string;
  /** The subprotocol to agree on; null: none. */
  readonly protocol: string | null;
  readonly open: (accepted: AcceptedSocket) => void;
}

export function addUpgradeRoute(app: FastifyInstance, deps: UpgradeDeps, route: UpgradeRoute): void {
  let server: Promise<WebSocketServer> | null = null;
  const load = (): Promise<WebSocketServer> => {
    server ??= import('ws').then(
      ({ WebSocketServer }) =>
        new WebSocketServer({
          noServer: true,
          maxPayload: deps.maxMessage,
          clientTracking: false,
          handleProtocols: (offered) => (route.protocol !== null && offered.has(route.protocol) ? route.protocol : false),
        }),
    );
    return server;
  };
  app.get(`${upgradePrefix}${route.path}`, { config: { refused: true } }, async (request, reply) => {
    const upgrade = upgradeOf(request.raw);
    if (upgrade === null) throw routeNotFound(request.url);
    if (isForeignPage(request, deps.allowedOrigins)) throw forbidden();
    const identity = new Identity(deps.identity, clientOf(request), tokenOf(request), request.context.caller);
    if (deps.mode === 'strict' && !identity.isKnown)
      throw serviceError('INVALID_CREDENTIALS', 'The handshake has to carry an access token.');
    accept(await load(), deps, request, reply, identity, route.open);
    return reply;
  });
}

function accept(
  server: WebSocketServer,
  { connections, reads }: UpgradeDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  identity: Identity,
  open: UpgradeRoute['open'],
): void {
  const upgrade = upgradeOf(request.raw);
  if (upgrade === null || upgrade.socket.destroyed) return;
  const place = connections.take(identity);
  upgrade.socket.once('close', () => place.free());
  const { raw } = reply.hijack();
  raw.detachSocket(upgrade.socket);
  upgrade.socket.setTimeout(0);
  server.handleUpgrade(request.raw, upgrade.socket, upgrade.head, (socket) => {
    reads.watch(upgrade.socket);
    place.onEnd(() => endSocket(socket));
    open({ socket, stream: upgrade.socket, identity, place });
  });
}

const goingAway = 1001;
const closeGraceMs = 500;

/** A client that does not answer the closing frame is cut off. */
function endSocket(socket: WebSocket): void {
  socket.close(goingAway, 'The service is ending.');
  setTimeout(() => socket.terminate(), closeGraceMs).unref();
}
