// The arguments every list takes, at the root (`filter`, `sort`, …) and nested in deep (`_filter`, `_sort`, …): one reading for both.

import { invalidQuery } from '../errors/service-error.js';
import { checkName } from './field-ref.js';
import { parseAggregate, parseGroupBy } from './parse-aggregate.js';
import { addLiteral, checkHops, countNode, type ParseContext, tooManyParts } from './parse-context.js';
import { parseFilter } from './parse-filter.js';
import { parseHaving } from './parse-having.js';
import { parseLimit, parseOffset } from './parse-page.js';
import { parseSort } from './parse-sort.js';
import type { Query, Selection, Slot } from './query.js';
import { makeMap, readStructure, type Structure } from './structure.js';

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

export function parseArguments(input: Arguments, deep: Structure | null, context: ParseContext, hops: number): Query {
  const limit = input.limit === undefined ? null : parseLimit(input.limit, context.limits);
  return {
    fields: noFields,
    filter: input.filter === undefined ? null : parseFilter(input.filter, context, hops),
    sort: parseSort(input.sort, context, hops),
    limit,
    offset: parseOffset(input, limit, context),
    search: parseSearch(input.search, context),
    aggregate: parseAggregate(input.aggregate, context),
    groupBy: parseGroupBy(input.groupBy, context),
    having: parseHaving(input.having, context),
    deep: deep === null ? noDeep : parseDeep(deep, context, hops + 1),
    backlink: true,
  };
}

function parseDeep(deep: Structure, context: ParseContext, hops: number): Readonly<Record<string, Query>> {
  const queries = makeMap<Query>();
  for (const key of Object.keys(deep)) {
    if (key.startsWith('_')) continue;
    countNode(context);
    checkHops(context, hops);
    const entry = readStructure(deep[key], `deep.${key.slice(0, 40)}`);
    if (entry === null) throw invalidQuery(`"deep.${key.slice(0, 40)}" has to be an object.`);
    queries[checkName(key)] = parseEntry(entry, context, hops);
  }
  return queries;
}

function parseEntry(entry: Structure, context: ParseContext, hops: number): Query {
  for (const key of Object.keys(entry)) {
    if (key.startsWith('_') && !deepNames.has(key)) throw invalidQuery(`"${key.slice(0, 40)}" is not known in "deep".`);
  }
  const { _filter: filter, _sort: sort, _limit: limit, _offset: offset, _page: page, _search: search } = entry;
  const { _aggregate: aggregate, _groupBy: groupBy, _having: having } = entry;
  return parseArguments({ filter, sort, limit, offset, page, search, aggregate, groupBy, having }, entry, context, hops);
}

/** The deep parameter of the root: only names of relations there. */
export function readDeep(value: unknown, context: ParseContext): Structure | null {
  const deep = readStructure(value, 'deep');
  const names = deep === null ? [] : Object.keys(deep);
  // Before they are looked at: going over a hundred thousand names twice is felt by others.
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
