// `aggregate` and `groupBy`: which values are computed over which groups.

import { invalidQuery } from '../errors/service-error.js';
import { checkName, parsePath, resultKey } from './field-ref.js';
import { checkHops, type ParseContext } from './parse-context.js';
import { parseNames } from './parse-names.js';
import { type Aggregate, type AggregateFunction, aggregateFunctions, type GroupTerm, type Path } from './query.js';
import { readStructure } from './structure.js';

export function parseAggregate(value: unknown, context: ParseContext): readonly Aggregate[] {
  const structure = readStructure(value, 'aggregate');
  if (structure === null) return [];
  const aggregates: Aggregate[] = [];
  for (const fn of Object.keys(structure)) {
    const names = parseNames(structure[fn], `aggregate.${fn}`, context);
    if (names.length === 0) throw invalidQuery(`The aggregate "${fn.slice(0, 40)}" names no field.`);
    for (const name of new Set(names)) aggregates.push(parseAggregateOf(fn, name, context));
  }
  return aggregates;
}

/** `*` counts items; every other aggregate needs a field. */
export function parseAggregateOf(fn: string, name: string, context: ParseContext): Aggregate {
  if (!isAggregateFunction(fn)) throw invalidQuery(`The aggregate "${fn.slice(0, 40)}" is not known.`);
  const countsItems = fn === 'countAll' || fn === 'count';
  if (name === '*' && countsItems) return { fn, path: null };
  if (name === '*' || fn === 'countAll')
    throw invalidQuery(`The aggregate "${fn}" ${fn === 'countAll' ? 'takes only "*"' : 'needs a field'}.`);
  return { fn, path: parseBoundedPath(name, context) };
}

const isAggregateFunction = (name: string): name is AggregateFunction => (aggregateFunctions as readonly string[]).includes(name);

export function parseGroupBy(value: unknown, context: ParseContext): readonly GroupTerm[] {
  const terms = new Map<string, GroupTerm>();
  for (const name of parseNames(value, 'groupBy', context)) {
    const path = parseBoundedPath(name, context);
    const as = checkName(path.map(resultKey).join('.'));
    terms.set(as, { path, as });
  }
  return [...terms.values()];
}

function parseBoundedPath(text: string, context: ParseContext): Path {
  const path = parsePath(text);
  checkHops(context, path.length - 1);
  return path;
}
