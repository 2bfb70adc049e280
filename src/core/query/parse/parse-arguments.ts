// The arguments that every list takes. The root writes them as `filter`, `sort`, …, a nested list in `deep` as `_filter`, `_sort`, …; both
// are parsed by `parseArguments`.

import { invalidQuery } from '../../errors/service-error.js';
import { makeMap, type PlainObject } from '../../util/plain-object.js';
import { checkName } from '../field-ref.js';
import type { Query, Selection, Slot } from '../query.js';
import type { Aliases } from './parse-alias.js';
import { addLiteral, checkHops, countNode, type ParseContext, tooManyParts } from './parse-context.js';
import { parseFilter } from './parse-filter.js';
import { parseAggregate, parseGroupBy, parseHaving } from './parse-groups.js';
import { parseLimit, parseOffset } from './parse-page.js';
import { parseSort } from './parse-sort.js';
import { readObject } from './read-object.js';

export interface Arguments {
  readonly filter: unknown;
  readonly sort: unknown;
  readonly limit: unknown;
  readonly offset: unknown;
  readonly page: unknown;
  readonly search: unknown;
  readonly aggregate: unknown;
  readonly groupBy: unknown;
  readonly having: unknown;
}

const deepNames = new Set(['_filter', '_sort', '_limit', '_offset', '_page', '_search', '_aggregate', '_groupBy', '_having', '_alias']);
const noDeep: Readonly<Record<string, Query>> = makeMap();
const noFields: readonly Selection[] = [];

export function parseArguments(
  input: Arguments,
  deep: PlainObject | null,
  aliases: Aliases | null,
  context: ParseContext,
  hops: number,
): Query {
  const limit = input.limit === undefined ? null : parseLimit(input.limit, context.limits);
  return {
    fields: noFields,
    filter: input.filter === undefined ? null : parseFilter(input.filter, context, hops),
    sort: parseSort(input.sort, aliases, context, hops),
    limit,
    offset: parseOffset(input, limit, context),
    search: parseSearch(input.search, context),
    aggregate: parseAggregate(input.aggregate, context),
    groupBy: parseGroupBy(input.groupBy, context),
    having: parseHaving(input.having, context),
    deep: deep === null ? noDeep : parseDeep(deep, aliases, context, hops + 1),
    backlink: true,
  };
}

function parseDeep(deep: PlainObject, aliases: Aliases | null, context: ParseContext, hops: number): Readonly<Record<string, Query>> {
  const queries = makeMap<Query>();
  for (const key of Object.keys(deep)) {
    if (key.startsWith('_')) continue;
    countNode(context);
    checkHops(context, hops);
    const entry = readObject(deep[key], `deep.${key.slice(0, 40)}`);
    if (entry === null) throw invalidQuery(`"deep.${key.slice(0, 40)}" has to be an object.`);
    queries[checkName(key)] = parseEntry(entry, aliases?.below[key] ?? null, context, hops);
  }
  return queries;
}

function parseEntry(entry: PlainObject, aliases: Aliases | null, context: ParseContext, hops: number): Query {
  for (const key of Object.keys(entry)) {
    if (key.startsWith('_') && !deepNames.has(key)) throw invalidQuery(`"${key.slice(0, 40)}" is not known in "deep".`);
  }
  const { _filter: filter, _sort: sort, _limit: limit, _offset: offset, _page: page, _search: search } = entry;
  const { _aggregate: aggregate, _groupBy: groupBy, _having: having } = entry;
  return parseArguments({ filter, sort, limit, offset, page, search, aggregate, groupBy, having }, entry, aliases, context, hops);
}

/** Reads the root's `deep` parameter, whose keys may only be names of relations. */
export function readDeep(value: unknown, context: ParseContext): PlainObject | null {
  const deep = readObject(value, 'deep');
  const names = deep === null ? [] : Object.keys(deep);
  // Checked before the names are visited: walking a hundred thousand names would delay other requests.
  if (names.length > context.limits.maxNodes) throw tooManyParts(context);
  const stray = names.find((key) => key.startsWith('_'));
  if (stray !== undefined) throw invalidQuery(`"deep" takes relations; "${stray.slice(0, 40)}" belongs below one.`);
  return deep;
}

function parseSearch(value: unknown, context: ParseContext): Slot | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' && typeof value !== 'number') throw invalidQuery('"search" has to be text.');
  const text = String(value).trim();
  return text === '' ? null : addLiteral(context, text);
}
