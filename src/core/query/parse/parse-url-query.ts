// The entry for the query string of a URL, without its `?`. Clients repeat the same few query strings, so recently parsed trees are cached.

import { Lru } from '../../util/lru.js';
import { emptyParsedQuery, type ParsedQuery, type QueryLimits } from '../query.js';
import { parseParameters, queryParameters } from './parse-query-object.js';
import { readUrlParameters } from './url-parameters.js';

const maxCached = 500;
const maxCachedLength = 2000;
/** By limits, since a tree is the result of parsing under them. */
const caches = new WeakMap<QueryLimits, Lru<string, ParsedQuery>>();

/** Ignores unknown parameters: they belong to others (`access_token`, cache busters). */
export function parseUrlQuery(search: string, limits: QueryLimits): ParsedQuery {
  if (search === '') return emptyParsedQuery;
  const cache = cacheFor(limits);
  const known = cache.get(search);
  if (known !== undefined) return known;
  const parsed = parseParameters(readUrlParameters(search, queryParameters, limits.maxParameters), limits);
  // Query strings with a token are not cached: tokens must not stay in memory.
  if (search.length <= maxCachedLength && !search.includes('access_token')) cache.set(search, parsed);
  return parsed;
}

function cacheFor(limits: QueryLimits): Lru<string, ParsedQuery> {
  const known = caches.get(limits);
  if (known !== undefined) return known;
  const cache = new Lru<string, ParsedQuery>(maxCached);
  caches.set(limits, cache);
  return cache;
}
