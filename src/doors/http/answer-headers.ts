// The headers every answer has, for both ways out: what the framework sends, and data, which is written past it (send.ts).

import type { OutgoingHttpHeader } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { dataSecurityHeaders, securityHeaders } from './security-headers.js';

const securityEntries = Object.entries(securityHeaders);
const flatDataHeaders: readonly string[] = Object.entries(dataSecurityHeaders).flat();

/** What a route has said itself stays. */
export function addAnswerHeaders(request: FastifyRequest, reply: FastifyReply): void {
  for (const [name, value] of securityEntries) if (!reply.hasHeader(name)) reply.header(name, value);
  reply.header('x-request-id', request.id);
}

/** For data: names and values in turn, as `writeHead` takes them; with what has been set on the reply so far. */
export function headersOfData(request: FastifyRequest, reply: FastifyReply): OutgoingHttpHeader[] {
  const headers: OutgoingHttpHeader[] = [...flatDataHeaders, 'x-request-id', request.id];
  const said = reply.getHeaders();
  for (const name in said) setHeader(headers, name, said[name] ?? '');
  return headers;
}

function setHeader(headers: OutgoingHttpHeader[], name: string, value: OutgoingHttpHeader): void {
  const place = headers.indexOf(name);
  if (place < 0) headers.push(name, value);
  else headers[place + 1] = value;
}
