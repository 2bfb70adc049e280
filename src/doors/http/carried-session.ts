// The session a request names, in its payload or in a cookie. One that a browser sends by itself counts only when our own pages asked.

import type { FastifyRequest } from 'fastify';
import { refreshCookie, sessionCookie } from '../../service/auth/issue-tokens.js';
import { type CarriedSession, readCarriedSession } from '../../service/auth/refresh.js';
import { readCookie } from './cookies.js';
import { refuseCrossSite } from './cross-site.js';

export function carriedSession(request: FastifyRequest, payload: unknown, allowedOrigins: ReadonlySet<string>): CarriedSession {
  const cookies = { refresh: readCookie(request, refreshCookie), session: readCookie(request, sessionCookie) };
  const carried = readCarriedSession(payload, cookies);
  if (carried.token === cookies.refresh || carried.token === cookies.session) refuseCrossSite(request, allowedOrigins);
  return carried;
}
