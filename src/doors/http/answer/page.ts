// Pages and their files, for browsers. They are sent before authentication, so that an expired cookie cannot hide the login page.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { matchesEtag } from './send.js';

export interface Page {
  readonly content: string | Uint8Array;
  readonly type: string;
  readonly etag: string;
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The extension of `name` decides the content type. */
export function makePage(name: string, content: Page['content']): Page {
  const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return { content, type, etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"` };
}

export const readPage = (place: URL): Page => makePage(place.pathname, readFileSync(place, 'utf8'));

export const wantsPage = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && headers.accept?.includes('text/html') === true;

/** `policy`: the content security policy of the page. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, { content, type, etag }: Page, policy: string): FastifyReply {
  reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-cache', vary: 'Accept', etag });
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type(type).send(type === types['html'] ? withRelativeLinks(String(content), request.url) : content);
}

/** A proxy or host may serve the pages below a path that the service does not know, so links from the root are sent relative to the page. */
const withRelativeLinks = (html: string, url: string): string => html.replaceAll(/(?<= (?:href|src)=")\//g, relativeRoot(url));

/** The relative path from an address to the root: `./` for `/graphql`, `../` for `/graphql/system`. */
export function relativeRoot(url: string): string {
  const [path = ''] = url.split('?');
  return '../'.repeat(path.split('/').length - 2) || './';
}

export function addPage(app: FastifyInstance, url: string, policy: string, load: () => Page | Promise<Page>): void {
  app.route({
    method: 'GET',
    url,
    onRequest: async (request, reply) => sendPage(request, reply, await load(), policy),
    handler: async () => '',
  });
}
