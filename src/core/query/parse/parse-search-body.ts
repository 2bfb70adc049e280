// The body of SEARCH, `{query?, keys?}`. A query in the body replaces the query of the URL completely.

import { invalidPayload } from '../../errors/service-error.js';
import { isPlainObject } from '../../util/plain-object.js';
import { emptyParsedQuery, type ParsedQuery, type QueryLimits } from '../query.js';
import { tooManyValues } from './parse-context.js';
import { parseQueryObject } from './parse-query-object.js';

export interface SearchBody {
  readonly parsed: ParsedQuery;
  /** null when the request does not restrict the keys. */
  readonly keys: readonly unknown[] | null;
}

export function parseSearchBody(body: unknown, limits: QueryLimits, fromUrl: ParsedQuery = emptyParsedQuery): SearchBody {
  if (body === undefined) return { parsed: fromUrl, keys: null };
  if (!isPlainObject(body)) throw invalidPayload('The body has to be an object with "query" or "keys".');
  const stray = Object.keys(body).find((key) => key !== 'query' && key !== 'keys');
  if (stray !== undefined) throw invalidPayload(`"${stray.slice(0, 40)}" is not allowed beside "query" and "keys".`);
  return { parsed: body.query === undefined ? fromUrl : parseQueryObject(body.query, limits), keys: parseKeys(body.keys, limits) };
}

function parseKeys(keys: unknown, limits: QueryLimits): readonly unknown[] | null {
  if (keys === undefined) return null;
  if (!Array.isArray(keys)) throw invalidPayload('"keys" has to be a list of keys.');
  if (keys.length > limits.maxValues) throw tooManyValues(limits);
  if (!keys.every((key) => typeof key === 'string' || typeof key === 'number'))
    throw invalidPayload('"keys" has to hold texts and numbers only.');
  return keys;
}
