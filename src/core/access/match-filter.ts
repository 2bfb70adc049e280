// The second interpreter of filters: over plain items in memory (validation rules, events), with the same outcome as the SQL one.
// Relations are nested objects and lists; a relation that is only a key is not known and matches nothing.

import { unreachable } from '../errors/service-error.js';
import { parseJsonPath } from '../query/json-path.js';
import type { OperatorName } from '../query/operators.js';
import type { FieldRef, Filter, Path } from '../query/query.js';
import type { FieldType } from '../schema/field-type.js';
import { matchCondition, type Truth } from './match-condition.js';
import { computeFunction, readAt } from './match-function.js';
import type { MatchLookup } from './match-lookup.js';

export type Item = Readonly<Record<string, unknown>>;

/** Where the interpreter stands. */
export interface MatchScope {
  readonly literals: readonly unknown[];
  readonly lookup: MatchLookup;
  readonly item: Item;
  /** The relations that led to `item`. */
  readonly path: Path;
}

/** `literals` have to be resolved: no `$CURRENT_USER` in them. */
export function matchFilter(filter: Filter, literals: readonly unknown[], item: Item, lookup: MatchLookup): boolean {
  return evaluate(filter, { literals, lookup, item, path: [] }) === true;
}

export function evaluate(filter: Filter, scope: MatchScope): Truth {
  switch (filter.kind) {
    case 'and':
      return combine(filter.filters, scope, false);
    case 'or':
      return combine(filter.filters, scope, true);
    case 'compare':
      return evaluateCompare(filter, scope);
    case 'json':
      return evaluateJson(filter, scope);
    case 'related': {
      const some = relatedScopes(filter.field, scope).some((related) => evaluate(filter.filter, related) === true);
      return filter.quantifier === 'some' ? some : !some;
    }
    default:
      return unreachable(filter);
  }
}

/** `decisive` ends it: one true makes an or true, one false an and false; an unknown beats what is left. */
function combine(filters: readonly Filter[], scope: MatchScope, decisive: boolean): Truth {
  let unknown = false;
  for (const filter of filters) {
    const truth = evaluate(filter, scope);
    if (truth === decisive) return decisive;
    if (truth === null) unknown = true;
  }
  return unknown ? null : !decisive;
}

function evaluateCompare(filter: Extract<Filter, { kind: 'compare' }>, scope: MatchScope): Truth {
  const { field, operator } = filter;
  if (operator === '_submitted') return Object.hasOwn(scope.item, field.name);
  const value = readField(scope.item, field.name);
  const type = scope.lookup.typeOf([...scope.path, field]) ?? typeOfValue(value);
  const operand = filter.slot === null ? null : scope.literals[filter.slot];
  if (field.fn === null) return matchCondition(operator, type, value, operand);
  const computed = computeFunction(field, type, value);
  return field.fn === 'json' ? matchJson(operator, computed, operand) : matchCondition(operator, 'integer', computed, operand);
}

function evaluateJson(filter: Extract<Filter, { kind: 'json' }>, scope: MatchScope): Truth {
  const value = readAt(readField(scope.item, filter.field.name), parseJsonPath(filter.path));
  return matchJson(filter.operator, value, filter.slot === null ? null : scope.literals[filter.slot]);
}

/** Inside JSON only numbers have an order; everything else is compared as text. */
function matchJson(operator: OperatorName, value: unknown, operand: unknown): Truth {
  if (ordering.has(operator)) return typeof value === 'number' ? matchCondition(operator, 'float', value, operand) : null;
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  return matchCondition(operator, 'string', text === null || text === undefined ? null : String(text), operand);
}

const ordering: ReadonlySet<string> = new Set(['_lt', '_lte', '_gt', '_gte', '_between', '_nbetween']);

const readField = (item: Item, name: string): unknown => (Object.hasOwn(item, name) ? item[name] : null);

function typeOfValue(value: unknown): FieldType {
  switch (typeof value) {
    case 'number':
      return 'decimal';
    case 'bigint':
      return 'bigInteger';
    case 'boolean':
      return 'boolean';
    case 'object':
      return value === null ? 'string' : 'json';
    default:
      return 'string';
  }
}

/** The related items that are there to be looked at, each with its place. */
export function relatedScopes(field: FieldRef, scope: MatchScope): readonly MatchScope[] {
  const path = [...scope.path, field];
  if (field.scope !== null && readField(scope.item, scope.lookup.collectionFieldOf(path) ?? '') !== field.scope) return [];
  const value = readField(scope.item, field.name);
  const items = Array.isArray(value) ? value : [value];
  return items.filter(isItem).map((item) => ({ ...scope, item, path }));
}

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);
