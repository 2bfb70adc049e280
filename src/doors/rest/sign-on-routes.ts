// Handles forms that providers make a browser post to the service. Such a post comes from another site, so it lacks the cookie of the
// login. The parameters of a code (`response_mode=form_post`, as Apple uses) are redirected to the same address as a GET, which carries the
// cookie. The response of a SAML identity provider is too long for a URL: a page of the service posts it again to the same address.

import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { escapeXml } from '../../core/util/escape-xml.js';
import { forbidStoring } from '../http/answer/serve-operation.js';
import { readBody } from '../http/body/read-body.js';
import { addRoute } from './operations/add-operation-routes.js';
import type { RestDeps } from './operations/rest-route.js';
import { restTable } from './operations/rest-table.js';

const formType = 'application/x-www-form-urlencoded';

/** A form holds a code and a state, and at Apple the name of the user. */
const maxBytes = 65_536;

/** The answer of a SAML identity provider, with a few thousand groups. */
const maxSamlBytes = 524_288;

export async function addSignOnRoutes(app: FastifyInstance, deps: RestDeps, bodyTimeoutMs: number): Promise<void> {
  await app.register(async (scope) => {
    takeForms(scope, maxBytes, bodyTimeoutMs);
    for (const route of restTable) if (route.form === 'urlencoded') addRoute(scope, deps, route);
    scope.post('/auth/login/:provider/callback', async ({ body }, reply) => {
      const sent = Object.entries(body ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
      return forbidStoring(reply).redirect(`callback?${new URLSearchParams(sent)}`, 303);
    });
  });
  await app.register(async (scope) => {
    takeForms(scope, maxSamlBytes, bodyTimeoutMs);
    scope.addHook('preHandler', async (request, reply) => {
      const { SAMLResponse, RelayState = '', [returned]: isReturned } = formIn(request);
      if (isReturned === undefined && SAMLResponse !== undefined) return sendAgain(reply, { SAMLResponse, RelayState });
    });
    for (const route of restTable) if (route.form === 'returned') addRoute(scope, deps, route);
  });
}

const takeForms = (scope: FastifyInstance, most: number, timeoutMs: number): void => {
  scope.addContentTypeParser(formType, async (_request: FastifyRequest, payload: IncomingMessage) =>
    Object.fromEntries(new URLSearchParams((await readBody(payload, most, timeoutMs)).toString('utf8'))),
  );
};

/** Empty for other content types, which a page of another site cannot make a browser post. */
const formIn = ({ body, headers }: FastifyRequest): Readonly<Record<string, string | undefined>> =>
  headers['content-type']?.toLowerCase().startsWith(formType) === true ? (body as Readonly<Record<string, string>>) : {};

/** The name of the field that marks a form posted again by the service's own page. */
const returned = 'returned';

const script = 'document.forms[0].submit()';

const policy = [
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Without scripts, a person presses the button. */
function sendAgain(reply: FastifyReply, values: Readonly<Record<string, string>>): FastifyReply {
  const fields = Object.entries({ ...values, [returned]: 'yes' }).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeXml(value)}">`,
  );
  forbidStoring(reply).headers({
    'content-security-policy': policy,
    // The browser tells the service itself, and no other site, which page posts the form.
    'referrer-policy': 'same-origin',
  });
  return reply
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Logging in</title><form method="post"><p>You are being logged in.</p>${fields.join('')}<button>Continue</button></form><script>${script}</script></html>`,
    );
}
