// The parameter `sort`: paths in order of precedence, with a leading `-` for descending. With an aggregate a term may name a result:
// `-avg.price`. A repeated path is dropped, since its first occurrence has decided the order already.

import { invalidQuery } from '../../errors/service-error.js';
import { parsePath } from '../field-ref.js';
import type { FieldRef, SortTerm } from '../query.js';
import type { Aliases } from './parse-alias.js';
import { checkHops, type ParseContext } from './parse-context.js';
import { parseNames } from './parse-names.js';

const noTerms: readonly SortTerm[] = [];

/** `hops` is the number of relations above, for the order of nested lists. */
export function parseSort(value: unknown, aliases: Aliases | null, context: ParseContext, hops = 0): readonly SortTerm[] {
  const terms = parseTerms(value, context, hops);
  return aliases === null ? terms : resolveAliases(terms, (name) => aliases.targets[name] ?? null);
}

/** Replaces an alias of the same level by its target, alone or as the first step of a path. */
export function resolveAliases(terms: readonly SortTerm[], find: (alias: string) => FieldRef | null): readonly SortTerm[] {
  return terms.map((term) => {
    const [first, ...rest] = term.path;
    const target = first === undefined || first.fn !== null || first.scope !== null ? null : find(first.name);
    return target === null ? term : { ...term, path: [target, ...rest] };
  });
}

function parseTerms(value: unknown, context: ParseContext, hops: number): readonly SortTerm[] {
  const names = parseNames(value, 'sort', context);
  if (names.length === 0) return noTerms;
  const terms = new Map<string, SortTerm>();
  for (const name of names) {
    const descending = name.startsWith('-');
    const text = descending ? name.slice(1) : name;
    if (terms.has(text)) continue;
    if (text === '?') throw invalidQuery('Sorting at random is not offered.');
    const path = parsePath(text);
    checkHops(context, hops + path.length - 1);
    terms.set(text, { path, descending });
    if (terms.size > context.limits.maxSortTerms) throw invalidQuery(`"sort" takes at most ${context.limits.maxSortTerms} fields.`);
  }
  return [...terms.values()];
}
