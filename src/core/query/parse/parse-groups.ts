// The parameters `aggregate`, `groupBy` and `having`: which totals to compute, over which groups, and conditions on the totals.

import { invalidQuery } from '../../errors/service-error.js';
import { isPlainObject, type PlainObject } from '../../util/plain-object.js';
import { checkName, parsePath, resultKey } from '../field-ref.js';
import { isOperator, operators } from '../operators.js';
import { type Aggregate, type GroupTerm, type Having, isAggregateFunction, type Path } from '../query.js';
import { checkHops, checkNesting, countNode, type ParseContext } from './parse-context.js';
import { parseNames } from './parse-names.js';
import { parsePlainCondition } from './parse-operand.js';
import { readObject } from './read-object.js';

export function parseAggregate(value: unknown, context: ParseContext): readonly Aggregate[] {
  const structure = readObject(value, 'aggregate');
  if (structure === null) return [];
  const aggregates: Aggregate[] = [];
  for (const fn of Object.keys(structure)) {
    const names = parseNames(structure[fn], `aggregate.${fn}`, context);
    if (names.length === 0) throw invalidQuery(`The aggregate "${fn.slice(0, 40)}" names no field.`);
    for (const name of new Set(names)) aggregates.push(parseAggregateOf(fn, name, context));
  }
  return aggregates;
}

/** `*` counts items and fits `count` and `countAll` only; every other aggregate needs a field. */
function parseAggregateOf(fn: string, name: string, context: ParseContext): Aggregate {
  if (!isAggregateFunction(fn)) throw invalidQuery(`The aggregate "${fn.slice(0, 40)}" is not known.`);
  const countsItems = fn === 'countAll' || fn === 'count';
  if (name === '*' && countsItems) return { fn, path: null };
  if (name === '*' || fn === 'countAll')
    throw invalidQuery(`The aggregate "${fn}" ${fn === 'countAll' ? 'takes only "*"' : 'needs a field'}.`);
  return { fn, path: parseBoundedPath(name, context) };
}

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

/** `{"avg": {"price": {"_gt": 10}}}`, or on the number of items, `{"count": {"_gt": 1}}`. */
export function parseHaving(value: unknown, context: ParseContext): Having | null {
  const structure = readObject(value, 'having');
  if (structure === null) return null;
  const having = parseLevel(structure, context, 0);
  return having.kind === 'compare' || having.filters.length > 0 ? having : null;
}

function parseLevel(structure: PlainObject, context: ParseContext, level: number): Having {
  checkNesting(context, level);
  const filters: Having[] = [];
  for (const key of Object.keys(structure)) {
    countNode(context);
    if (key === '_and' || key === '_or') filters.push(parseGroup(key, structure[key], context, level + 1));
    else collectAggregate(key, structure[key], filters, context);
  }
  return join('and', filters);
}

function parseGroup(key: '_and' | '_or', value: unknown, context: ParseContext, level: number): Having {
  if (!Array.isArray(value) || !value.every(isPlainObject)) throw invalidQuery(`"${key}" takes a list of objects.`);
  return join(
    key === '_and' ? 'and' : 'or',
    value.map((member) => parseLevel(member, context, level)),
  );
}

function collectAggregate(fn: string, value: unknown, into: Having[], context: ParseContext): void {
  if (!isPlainObject(value)) throw invalidQuery(`"having.${fn.slice(0, 40)}" has to be an object.`);
  for (const key of Object.keys(value)) {
    if (isOperator(key)) collectConditions(parseAggregateOf(fn, '*', context), { [key]: value[key] }, into, context);
    else collectConditions(parseAggregateOf(fn, key, context), value[key], into, context);
  }
}

function collectConditions(aggregate: Aggregate, value: unknown, into: Having[], context: ParseContext): void {
  if (!isPlainObject(value)) {
    into.push({ kind: 'compare', aggregate, ...parsePlainCondition('_eq', value, context) });
    return;
  }
  for (const key of Object.keys(value)) {
    if (!isOperator(key) || operators[key].group === 'validation')
      throw invalidQuery(`"${key.slice(0, 40)}" is not known inside "having".`);
    into.push({ kind: 'compare', aggregate, ...parsePlainCondition(key, value[key], context) });
  }
}

function join(kind: 'and' | 'or', filters: readonly Having[]): Having {
  const [first] = filters;
  return first !== undefined && filters.length === 1 ? first : { kind: first === undefined ? 'and' : kind, filters };
}
