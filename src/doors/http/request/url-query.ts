// The query of a URL: as text, parsed as a query for items, or by name for routes with a few parameters of their own.

import { parse } from 'node:querystring';
import type { FastifyRequest } from 'fastify';
import { parseUrlQuery } from '../../../core/query/parse/parse-url-query.js';
import type { ParsedQuery, QueryLimits } from '../../../core/query/query.js';

/** Without the question mark. */
export function queryOf(request: FastifyRequest): string {
  const url = request.raw.url ?? '';
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/** The query of a read, parsed. */
export function parseQuery(request: FastifyRequest, limits: QueryLimits): ParsedQuery {
  const { clock } = request.context;
  clock?.start('parse');
  const parsed = parseUrlQuery(queryOf(request), limits);
  clock?.stop();
  return parsed;
}

/** A repeated parameter is a list. */
export const queryParameters = (request: FastifyRequest): Readonly<Record<string, unknown>> => parse(queryOf(request));
