// The query of a URL, without its `?`, to the tree.

import { parseParameters, queryParameters } from './parse-query-object.js';
import { emptyParsedQuery, type ParsedQuery, type QueryLimits } from './query.js';
import { readUrlParameters } from './url-parameters.js';

/** Unknown parameters are ignored: they belong to others (`access_token`, cache busters). */
export function parseUrlQuery(search: string, limits: QueryLimits): ParsedQuery {
  if (search === '') return emptyParsedQuery;
  return parseParameters(readUrlParameters(search, queryParameters, limits.maxParameters), limits);
}
