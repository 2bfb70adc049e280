// The query of a URL: as sent, for the parser of items' queries (core/query/parse-url-query.ts), or by name, for routes with a few
// parameters of their own.

import { parse } from 'node:querystring';
import type { FastifyRequest } from 'fastify';

/** Without its question mark. */
export function queryOf(request: FastifyRequest): string {
  const url = request.raw.url ?? '';
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/** A parameter that came more than once is a list. */
export const queryParameters = (request: FastifyRequest): Readonly<Record<string, unknown>> => parse(queryOf(request));
