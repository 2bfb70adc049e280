// Flows are stored and listed, not run: no trigger opens anything, whoever pulls it. Extensions there are none.

import type { FastifyInstance } from 'fastify';
import { forbidden } from '../../core/errors/service-error.js';
import { sendJson } from '../http/send.js';

export function addFlowRoutes(app: FastifyInstance): void {
  app.route({
    method: ['GET', 'POST'],
    url: '/flows/trigger/:key',
    handler: async () => {
      throw forbidden();
    },
  });
  app.get('/extensions', async (request, reply) => {
    if (!request.context.isAdmin) throw forbidden();
    return sendJson(request, reply, { data: [] });
  });
}
