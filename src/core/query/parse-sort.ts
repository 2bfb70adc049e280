// `sort`: paths in order, a leading `-` for descending. Under an aggregate a term may name a result: `-avg.price`.

import { invalidQuery } from '../errors/service-error.js';
import { parsePath } from './field-ref.js';
import { checkHops, type ParseContext } from './parse-context.js';
import { parseNames } from './parse-names.js';
import type { SortTerm } from './query.js';

/** `hops`: relations above, for the order of nested lists. */
export function parseSort(value: unknown, context: ParseContext, hops = 0): readonly SortTerm[] {
  return parseNames(value, 'sort', context).map((name) => {
    const descending = name.startsWith('-');
    const text = descending ? name.slice(1) : name;
    if (text === '?') throw invalidQuery('Sorting at random is not offered.');
    const path = parsePath(text);
    checkHops(context, hops + path.length - 1);
    return { path, descending };
  });
}
