// `having`: conditions on aggregates, `{"avg": {"price": {"_gt": 10}}}` or `{"count": {"_gt": 1}}` for counted items.

import { invalidQuery } from '../errors/service-error.js';
import { isOperator } from './operators.js';
import { parseAggregateOf } from './parse-aggregate.js';
import { checkNesting, countNode, type ParseContext } from './parse-context.js';
import { parseCondition } from './parse-operand.js';
import type { Aggregate, Having } from './query.js';
import { isStructure, readStructure, type Structure } from './structure.js';

export function parseHaving(value: unknown, context: ParseContext): Having | null {
  const structure = readStructure(value, 'having');
  if (structure === null) return null;
  const having = parseLevel(structure, context, 0);
  return having.kind === 'compare' || having.filters.length > 0 ? having : null;
}

function parseLevel(structure: Structure, context: ParseContext, level: number): Having {
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
  if (!Array.isArray(value) || !value.every(isStructure)) throw invalidQuery(`"${key}" takes a list of objects.`);
  return join(
    key === '_and' ? 'and' : 'or',
    value.map((member) => parseLevel(member, context, level)),
  );
}

function collectAggregate(fn: string, value: unknown, into: Having[], context: ParseContext): void {
  if (!isStructure(value)) throw invalidQuery(`"having.${fn.slice(0, 40)}" has to be an object.`);
  for (const key of Object.keys(value)) {
    if (isOperator(key)) collectConditions(parseAggregateOf(fn, '*', context), { [key]: value[key] }, into, context);
    else collectConditions(parseAggregateOf(fn, key, context), value[key], into, context);
  }
}

function collectConditions(aggregate: Aggregate, value: unknown, into: Having[], context: ParseContext): void {
  if (!isStructure(value)) {
    into.push({ kind: 'compare', aggregate, ...parseCondition('_eq', value, context) });
    return;
  }
  for (const key of Object.keys(value)) {
    if (!isOperator(key) || key === '_regex' || key === '_submitted')
      throw invalidQuery(`"${key.slice(0, 40)}" is not known inside "having".`);
    into.push({ kind: 'compare', aggregate, ...parseCondition(key, value[key], context) });
  }
}

function join(kind: 'and' | 'or', filters: readonly Having[]): Having {
  const [first] = filters;
  return first !== undefined && filters.length === 1 ? first : { kind: first === undefined ? 'and' : kind, filters };
}
