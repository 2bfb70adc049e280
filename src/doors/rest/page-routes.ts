// The pages for people: a front page and an API reference. They are plain files that ask the public API like any other client, so they
// show what the visitor may see and nothing else.

import type { FastifyInstance } from 'fastify';
import { addPage, readPage, sendPage, wantsPage } from '../http/page.js';
import { sendJson } from '../http/send.js';

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

const files = ['page.css', 'home.css', 'reference.css', 'client.js', 'home.js', 'reference.js', 'icon.svg'];

const pageOf = (name: string) => readPage(new URL(`./pages/${name}`, import.meta.url));

export function addPageRoutes(app: FastifyInstance): void {
  for (const name of files) {
    const page = pageOf(name);
    addPage(app, `/server/page/${name}`, policy, () => page);
  }
  const [home, reference] = [pageOf('home.html'), pageOf('reference.html')];
  addPage(app, '/server/reference', policy, () => reference);
  app.route({
    method: 'GET',
    url: '/',
    onRequest: (request, reply, done) => {
      if (wantsPage(request)) sendPage(request, reply, home, policy);
      else done();
    },
    handler: async (request, reply) => sendJson(request, reply, { data: signposts }),
  });
}

/** For programs that begin at the root. */
const signposts = { info: '/server/info', openapi: '/server/specs/oas', graphql: '/graphql', reference: '/server/reference' };
