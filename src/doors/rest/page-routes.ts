// The pages for people: a front page, an API reference, a console for GraphQL. They are plain files that ask the public API like any other client, so they
// show what the visitor may see and nothing else. They are answered before the token is looked at: a cookie past its time must not hide
// the page one logs in on.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { matchesEtag, sendJson } from '../http/send.js';

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface Page {
  readonly text: string;
  readonly type: string;
  readonly etag: string;
}

export function addPageRoutes(app: FastifyInstance): void {
  for (const name of ['page.css', 'client.js', 'home.js', 'reference.js', 'graphql.js', 'icon.svg'])
    addPage(app, `/server/page/${name}`, readPage(name));
  addPage(app, '/server/reference', readPage('reference.html'));
  addPage(app, '/server/graphql', readPage('graphql.html'));
  const home = readPage('home.html');
  app.route({
    method: 'GET',
    url: '/',
    onRequest: (request, reply, done) => {
      if (wantsPage(request)) sendPage(request, reply, home);
      else done();
    },
    handler: async (request, reply) => sendJson(request, reply, { data: signposts }),
  });
}

/** For programs that begin at the root. */
const signposts = { info: '/server/info', openapi: '/server/specs/oas', graphql: '/graphql', reference: '/server/reference' };

const wantsPage = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') === true;

function addPage(app: FastifyInstance, url: string, page: Page): void {
  app.route({
    method: 'GET',
    url,
    onRequest: (request, reply) => {
      sendPage(request, reply, page);
    },
    handler: async () => page.text,
  });
}

function readPage(name: string): Page {
  const text = readFileSync(new URL(`./pages/${name}`, import.meta.url), 'utf8');
  const ending = name.slice(name.lastIndexOf('.') + 1);
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  return { text, type: types[ending] ?? 'application/octet-stream', etag };
}

function sendPage(request: FastifyRequest, reply: FastifyReply, { text, type, etag }: Page): FastifyReply {
  reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-cache', vary: 'Accept', etag });
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type(type).send(text);
}
