// What shares have besides their items: opening one, and what the link alone tells.

import type { FastifyInstance } from 'fastify';
import { describeShare, openShare } from '../../service/auth/open-share.js';
import { clientOf } from '../http/authenticate-request.js';
import { sendJson } from '../http/send.js';
import { type AuthDoor, neverStored, sendTokens } from './auth-routes.js';

export function addShareRoutes(app: FastifyInstance, door: AuthDoor): void {
  const onRequest = neverStored;
  app.post('/shares/auth', { onRequest }, async (request, reply) =>
    sendTokens(door, request, reply, await openShare(door.auth, request.body, clientOf(request))),
  );
  app.get<{ Params: { key: string } }>('/shares/info/:key', { onRequest }, async (request, reply) =>
    sendJson(request, reply, { data: await describeShare(door.auth, request.params.key) }),
  );
}
