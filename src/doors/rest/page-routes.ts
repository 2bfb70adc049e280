// The pages for people: a front page, an API reference, and the pages that links in mails lead to. They are plain files that use the public
// API like any other client, so they show only what the visitor may see.

import type { FastifyInstance } from 'fastify';
import { addPage, readPage, sendPage, wantsPage } from '../http/answer/page.js';
import { sendJson } from '../http/answer/send.js';

const policyFor = (ancestors: "'none'" | "'self'"): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ');

const policy = policyFor("'none'");

const files = [
  ...['page.css', 'home.css', 'reference.css', 'choose-password.css'],
  ...['client.js', 'home.js', 'reference.js', 'choose-password.js', 'login-failed.js', 'icon.svg'],
];

/** The pages that mails link to unless the request names a page of the project. */
const passwordPages = ['/reset-password', '/accept-invite'];

const pageOf = (name: string) => readPage(new URL(`./pages/${name}`, import.meta.url));

/** With Studio, browsers that ask for the root, or for a page behind a link of a mail, are led there. */
export function addPageRoutes(app: FastifyInstance, { studio }: { readonly studio: boolean }): void {
  for (const name of files) {
    const page = pageOf(name);
    addPage(app, `/server/page/${name}`, policy, () => page);
  }
  const [home, reference, choosePassword] = [pageOf('home.html'), pageOf('reference.html'), pageOf('choose-password.html')];
  for (const url of passwordPages) {
    if (studio) leadToStudio(app, url);
    else addPage(app, url, policy, () => choosePassword);
  }
  if (!studio) {
    const loginFailed = pageOf('login-failed.html');
    addPage(app, '/login-failed', policy, () => loginFailed);
  }
  // Studio shows it in a frame.
  addPage(app, '/server/reference', policyFor("'self'"), () => reference);
  app.route({
    method: 'GET',
    url: '/',
    onRequest: (request, reply, done) => {
      if (wantsPage(request) && studio) reply.header('vary', 'Accept').redirect('admin/', 302);
      else if (wantsPage(request)) sendPage(request, reply, home, policy);
      else done();
    },
    handler: async (request, reply) => sendJson(request, reply, { data: entryPoints }),
  });
}

/**
 * Redirects to the page of the same name in Studio, which takes the token from the address. The redirect is relative, because a proxy may
 * add a path in front.
 */
function leadToStudio(app: FastifyInstance, url: string): void {
  app.route({
    method: 'GET',
    url,
    onRequest: async ({ url: asked }, reply) => reply.redirect(`admin${asked}`, 302),
    handler: async () => '',
  });
}

/** For programs that begin at the root. */
const entryPoints = { info: '/server/info', openapi: '/server/specs/oas', graphql: '/graphql', reference: '/server/reference' };
