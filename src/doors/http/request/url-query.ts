// The query of a URL: as text, parsed as a query for items, or by name for routes with a few parameters of their own.

import { parse } from 'node:querystring';
import type { FastifyRequest } from 'fastify';
import { parseUrlQuery } from '../../../core/query/parse/parse-url-query.js';
import type { ParsedQuery, QueryLimits } from '../../../core/query/query.js';
import { isPlainObject, makeMap } from '../../../core/util/plain-object.js';

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

const maxDepth = 5;

/** The same with `a[b]=1` as an object in `a`, and `a[]=1` as a list: for those who take any query. */
export function nestedParameters(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const root = makeMap<unknown>();
  for (const [name, value] of Object.entries(queryParameters(request))) {
    const [, first = name, rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? [];
    const steps = [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, step = '']) => step)];
    if (steps.length > maxDepth) root[name] = value;
    else putAt(root, steps, value);
  }
  return root;
}

function putAt(root: Record<string, unknown>, steps: readonly string[], value: unknown): void {
  let at = root;
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1];
    if (next === undefined) at[step] = value;
    else if (next === '') {
      at[step] = Array.isArray(value) ? value : [value];
      return;
    } else {
      const below = isPlainObject(at[step]) ? (at[step] as Record<string, unknown>) : makeMap<unknown>();
      at[step] = below;
      at = below;
    }
  }
}
