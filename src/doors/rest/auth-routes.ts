// /auth: logging in and out. Nothing here may be kept by anybody on the way.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuthContext } from '../../service/auth/auth-context.js';
import type { Authenticator } from '../../service/auth/authenticate.js';
import { type IssuedTokens, refreshCookie, sessionCookie } from '../../service/auth/issue-tokens.js';
import { login } from '../../service/auth/login.js';
import { logout } from '../../service/auth/logout.js';
import { requestPasswordReset, resetPassword } from '../../service/auth/password-reset.js';
import { refresh } from '../../service/auth/refresh.js';
import { clientOf } from '../http/authenticate-request.js';
import { carriedSession } from '../http/carried-session.js';
import { clearCookie, setCookie } from '../http/cookies.js';
import { sendJson, sendNothing } from '../http/send.js';

export interface AuthDoor {
  readonly auth: AuthContext;
  readonly authenticator: Authenticator;
  readonly cookieSecure: boolean;
  readonly allowedOrigins: ReadonlySet<string>;
}

export const neverStored = (_request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
  reply.header('cache-control', 'no-store');
  done();
};

export function addAuthRoutes(app: FastifyInstance, door: AuthDoor): void {
  const { auth, authenticator } = door;
  const onRequest = neverStored;
  app.get('/auth', { onRequest }, async (request, reply) => sendJson(request, reply, { data: [], disableDefault: false }));
  app.post('/auth/login', { onRequest }, async (request, reply) =>
    sendTokens(door, request, reply, await login(auth, authenticator, request.body, clientOf(request))),
  );
  app.post('/auth/refresh', { onRequest }, async (request, reply) =>
    sendTokens(
      door,
      request,
      reply,
      await refresh(auth, authenticator, carriedSession(request, request.body, door.allowedOrigins), clientOf(request)),
    ),
  );
  app.post('/auth/logout', { onRequest }, async (request, reply) => {
    const carried = carriedSession(request, request.body, door.allowedOrigins);
    await logout(auth, carried, clientOf(request));
    if (carried.mode !== 'json') clearCookie(request, reply, carried.mode === 'session' ? sessionCookie : refreshCookie, door.cookieSecure);
    return sendNothing(reply);
  });
  app.post('/auth/password/request', { onRequest }, async (request, reply) => {
    await requestPasswordReset(auth, request.body, clientOf(request));
    return sendNothing(reply);
  });
  app.post('/auth/password/reset', { onRequest }, async (request, reply) => {
    await resetPassword(auth, request.body, clientOf(request));
    return sendNothing(reply);
  });
}

export function sendTokens(door: AuthDoor, request: FastifyRequest, reply: FastifyReply, { data, cookie }: IssuedTokens): FastifyReply {
  if (cookie !== null) setCookie(request, reply, cookie, door.cookieSecure);
  return sendJson(request, reply, { data });
}
