// /server: is it alive, is it well, what is it, what can it do.

import type { FastifyInstance } from 'fastify';
import type { Caller } from '../../core/access/view.js';
import { forbidden } from '../../core/errors/service-error.js';
import type { Health } from '../../service/describe/health.js';
import { sendJson } from '../http/send.js';

export interface ServerSources {
  health(): Promise<Health>;
  /** What this caller may know of the service; strangers get the project's face only. */
  info(caller: Caller): Promise<Readonly<Record<string, unknown>>>;
  /** The OpenAPI description of what this caller may do; `url`: the address the caller came by. */
  openApi(caller: Caller, url: string): Promise<Readonly<Record<string, unknown>>>;
}

export function addServerRoutes(app: FastifyInstance, sources: ServerSources): void {
  addPing(app);
  app.get('/server/health', async (request, reply) => {
    if (!request.context.isAdmin) throw forbidden();
    const health = await sources.health();
    reply.code(health.status === 'error' ? 503 : 200).header('content-type', 'application/health+json; charset=utf-8');
    return reply.send(JSON.stringify(health));
  });
  app.get('/server/info', async (request, reply) => sendJson(request, reply, { data: await sources.info(request.context.caller) }));
  app.get('/server/specs/oas', async (request, reply) =>
    sendJson(request, reply, await sources.openApi(request.context.caller, `${request.protocol}://${request.host}`)),
  );
}

/** Answers in its own first hook, so before the body and the token are looked at. */
function addPing(app: FastifyInstance): void {
  app.route({
    method: 'GET',
    url: '/server/ping',
    onRequest: (_request, reply) => {
      reply.type('text/plain; charset=utf-8').send('pong');
    },
    handler: async () => 'pong',
  });
}
