// The query of a URL, without its `?`, to the tree. Clients ask the same few questions again and again, so the trees of recent ones are kept.

import { parseParameters, queryParameters } from './parse-query-object.js';
import { emptyParsedQuery, type ParsedQuery, type QueryLimits } from './query.js';
import { readUrlParameters } from './url-parameters.js';

const mostKept = 500;
const longestKept = 2000;
const recent = new WeakMap<QueryLimits, Map<string, ParsedQuery>>();

/** Unknown parameters are ignored: they belong to others (`access_token`, cache busters). */
export function parseUrlQuery(search: string, limits: QueryLimits): ParsedQuery {
  if (search === '') return emptyParsedQuery;
  const kept = keptFor(limits);
  const known = kept.get(search);
  if (known !== undefined) return known;
  const parsed = parseParameters(readUrlParameters(search, queryParameters, limits.maxParameters), limits);
  if (search.length <= longestKept && !search.includes('access_token')) keep(kept, search, parsed);
  return parsed;
}

function keptFor(limits: QueryLimits): Map<string, ParsedQuery> {
  const known = recent.get(limits);
  if (known !== undefined) return known;
  const made = new Map<string, ParsedQuery>();
  recent.set(limits, made);
  return made;
}

/** Starting anew is as good as choosing what goes, and costs nothing per request. */
function keep(kept: Map<string, ParsedQuery>, search: string, parsed: ParsedQuery): void {
  if (kept.size >= mostKept) kept.clear();
  kept.set(search, parsed);
}
