// /admin: the admin application. Its page and files are public and answered before the token is read; everything they show comes from the
// API, under the rights of the person who is signed in.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { routeNotFound } from '../../core/errors/service-error.js';
import { makePage, relativeRoot, sendPage } from '../http/answer/page.js';
import type { StudioFiles } from './studio-files.js';

/** Frames hold the reference and GraphiQL, the only pages that let themselves be framed, and only by their own origin. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "font-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join('; ');

export function addStudioRoutes(app: FastifyInstance, files: StudioFiles): void {
  const send = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendPage(request, reply, makePage('index.html', files.page(relativeRoot(request.url.slice('/admin'.length)))), policy);
  app.route({
    method: 'GET',
    url: '/admin',
    // The router treats /admin and /admin/ alike, but relative addresses need the slash.
    onRequest: async (request, reply) => (request.url.startsWith('/admin/') ? send(request, reply) : reply.redirect('admin/', 302)),
    handler: async () => '',
  });
  app.route<{ Params: { name: string } }>({
    method: 'GET',
    url: '/admin/assets/:name',
    onRequest: async (request, reply) => {
      const asset = await files.asset(request.params.name, String(request.headers['accept-encoding'] ?? ''));
      if (asset === null) throw routeNotFound(request.url);
      // The name contains a digest of the content, so the file never changes.
      reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' });
      if (asset.encoding !== 'identity') reply.header('content-encoding', asset.encoding);
      return reply.type(asset.type).send(asset.content);
    },
    handler: async () => '',
  });
  app.route({
    method: 'GET',
    url: '/admin/*',
    onRequest: async (request, reply) => send(request, reply),
    handler: async () => '',
  });
}
