// What providers send as forms. The answer to a login comes from another site, and so without the cookie of the login. The parameters of a code
// (`response_mode=form_post`, as Apple does) are led to the same address by a link, which comes with it. The answer of a SAML identity provider
// is too long for an address: a page of the service sends it again, to the same place.

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

/** Empty for a body of another kind, which no page of another site can make a browser send. */
const formIn = ({ body, headers }: FastifyRequest): Readonly<Record<string, string | undefined>> =>
  headers['content-type']?.toLowerCase().startsWith(formType) === true ? (body as Readonly<Record<string, string>>) : {};

/** Set in the form that a page of the service has sent. */
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
    // The browser says to the service itself which page the form comes from.
    'referrer-policy': 'same-origin',
  });
  return reply
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Logging in</title><form method="post"><p>You are being logged in.</p>${fields.join('')}<button>Continue</button></form><script>${script}</script></html>`,
    );
}
