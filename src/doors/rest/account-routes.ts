// What the user resource has besides its items: registration, invitations, the second factor, the page last visited.

import type { FastifyInstance } from 'fastify';
import { acceptInvitation, inviteUsers } from '../../service/auth/invite.js';
import { trackPage } from '../../service/auth/own-account.js';
import { register, verifyRegistration } from '../../service/auth/register.js';
import { disableCodes, disableCodesOf, enableCodes, generateCodeSecret } from '../../service/auth/two-factor.js';
import { clientOf } from '../http/authenticate-request.js';
import { sendJson, sendNothing } from '../http/send.js';
import { queryParameters } from '../http/url-query.js';
import { answerOnceApart, nothingToSay, type OnceDoor } from './answer-once.js';
import { type AuthDoor, neverStored } from './auth-routes.js';

export function addAccountRoutes(app: FastifyInstance, door: Pick<AuthDoor, 'auth'> & OnceDoor): void {
  const { auth } = door;
  const onRequest = neverStored;
  app.post('/users/register', { onRequest }, async (request, reply) =>
    answerOnceApart(door, request, reply, async () => {
      await register(auth, request.body, clientOf(request));
      return nothingToSay;
    }),
  );
  app.get('/users/register/verify-email', { onRequest }, async (request, reply) => {
    await verifyRegistration(auth, queryParameters(request).token);
    return reply.redirect(auth.options.publicUrl);
  });
  app.post('/users/invite', { onRequest }, async (request, reply) =>
    answerOnceApart(door, request, reply, async () => {
      await inviteUsers(auth, request.context.caller, request.body);
      return nothingToSay;
    }),
  );
  app.post('/users/invite/accept', { onRequest }, async (request, reply) => {
    await acceptInvitation(auth, request.body, clientOf(request));
    return sendNothing(reply);
  });
  app.patch('/users/me/track/page', async (request, reply) => {
    await trackPage(auth, request.context.caller, request.body);
    return sendNothing(reply);
  });
}

export function addTwoFactorRoutes(app: FastifyInstance, { auth }: Pick<AuthDoor, 'auth'>): void {
  const onRequest = neverStored;
  app.post('/users/me/tfa/generate', { onRequest }, async (request, reply) =>
    sendJson(request, reply, { data: await generateCodeSecret(auth, request.context.caller, request.body) }),
  );
  app.post('/users/me/tfa/enable', { onRequest }, async (request, reply) => {
    await enableCodes(auth, request.context.caller, request.body);
    return sendNothing(reply);
  });
  app.post('/users/me/tfa/disable', { onRequest }, async (request, reply) => {
    await disableCodes(auth, request.context.caller, request.body);
    return sendNothing(reply);
  });
  app.post<{ Params: { key: string } }>('/users/:key/tfa/disable', { onRequest }, async (request, reply) => {
    await disableCodesOf(auth, request.context.caller, request.params.key);
    return sendNothing(reply);
  });
}
