// Which items a query means and in which order, as a text, values included: what a cursor must be used with again.

import type { ParsedQuery } from './query.js';

/** Fields, limits and nested lists do not matter: a cursor may go on with others. */
export function meaningOf({ query, literals }: ParsedQuery): string {
  const search = query.search === null ? null : spell(literals[query.search]);
  return JSON.stringify([query.filter, query.sort, search], (key, value: unknown) =>
    key === 'slot' && typeof value === 'number' ? [spell(literals[value])] : value,
  );
}

/** A URL knows only texts, a body numbers too: both mean the same. */
function spell(literal: unknown): unknown {
  if (Array.isArray(literal)) return literal.map(spell);
  return typeof literal === 'object' ? literal : String(literal);
}
