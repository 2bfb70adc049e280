// The headers of every answer, for both ways to send one: through the framework, and around it for data (send.ts). They are constants, not
// computed for each request.

import type { OutgoingHttpHeader } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Keep browsers from using data as anything but data. */
const dataSecurityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
};

/** For all other answers, such as pages and logins: the defaults of helmet, with a content policy for data. */
const securityHeaders: Readonly<Record<string, string>> = {
  ...dataSecurityHeaders,
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

/** Every answer depends on the caller: shared caches must not store it, and private caches must revalidate it. */
const cacheHeaders = { 'cache-control': 'private, no-cache', vary: 'Accept-Encoding, Authorization, Cookie, Origin' } as const;
const varying: ReadonlySet<string> = new Set(cacheHeaders.vary.toLowerCase().split(', '));

const answerEntries = Object.entries({ ...securityHeaders, ...cacheHeaders });
const flatDataHeaders: readonly string[] = Object.entries({ ...dataSecurityHeaders, ...cacheHeaders }).flat();

/** Headers that a route has set itself are kept; `vary` is extended. */
export function addAnswerHeaders(request: FastifyRequest, reply: FastifyReply): void {
  if (reply.statusCode < 400) request.context?.readAfter?.add(request, reply);
  if (isLastAnswer(request)) reply.header('connection', 'close');
  const vary = reply.getHeader('vary');
  if (vary !== undefined) reply.header('vary', withCaller(vary));
  for (const [name, value] of answerEntries) if (!reply.hasHeader(name)) reply.header(name, value);
  reply.header('x-request-id', request.id);
}

/** For data: names and values in turn, as `writeHead` takes them, with the headers set on the reply so far. */
export function headersOfData(request: FastifyRequest, reply: FastifyReply): OutgoingHttpHeader[] {
  request.context.readAfter?.add(request, reply);
  const headers: OutgoingHttpHeader[] = [...flatDataHeaders, 'x-request-id', request.id];
  const given = reply.getHeaders();
  for (const name in given) setHeader(headers, name, name === 'vary' ? withCaller(given[name]) : (given[name] ?? ''));
  if (isLastAnswer(request)) setHeader(headers, 'connection', 'close');
  return headers;
}

/** A service that no longer listens is shutting down and asks its clients to send nothing more over this connection. */
const isLastAnswer = ({ server }: FastifyRequest): boolean => !server.server.listening;

/** Looks at names only, which are every other entry: a value may read like the name of another header. */
function setHeader(headers: OutgoingHttpHeader[], name: string, value: OutgoingHttpHeader): void {
  let at = 0;
  while (at < headers.length && headers[at] !== name) at += 2;
  headers[at] = name;
  headers[at + 1] = value;
}

/** Adds the caller to what an answer varies by. */
function withCaller(vary: OutgoingHttpHeader | undefined): string {
  const besides = String(vary ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !varying.has(name.toLowerCase()));
  return [cacheHeaders.vary, ...besides].join(', ');
}
