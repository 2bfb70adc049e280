// The in-memory interpreter of filters, for validation rules and events; it has the same outcome as the SQL one. Relations are nested
// objects and lists; a relation given as a bare key has unknown content and matches nothing.

import { unreachable } from '../errors/service-error.js';
import { parseJsonPath } from '../query/json-path.js';
import { type OperatorName, operators } from '../query/operators.js';
import type { FieldRef, Filter, Path } from '../query/query.js';
import type { FieldType } from '../schema/types/field-type.js';
import { isPlainObject } from '../util/plain-object.js';
import { matchCondition, type Ternary } from './match-condition.js';
import { computeFunction, readAt } from './match-function.js';
import type { MatchLookup } from './match-lookup.js';

export type Item = Readonly<Record<string, unknown>>;

/** The position of the interpreter. */
export interface MatchScope {
  readonly literals: readonly unknown[];
  readonly lookup: MatchLookup;
  readonly item: Item;
  /** The relations that led to `item`. */
  readonly path: Path;
}

/** `literals` must be resolved: they may not contain dynamic values. */
export function matchFilter(filter: Filter, literals: readonly unknown[], item: Item, lookup: MatchLookup): boolean {
  return evaluate(filter, { literals, lookup, item, path: [] }) === true;
}

export function evaluate(filter: Filter, scope: MatchScope): Ternary {
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

/** `decisive` is the operand that settles the result: true for `or`, false for `and`. Otherwise one unknown makes the result unknown. */
function combine(filters: readonly Filter[], scope: MatchScope, decisive: boolean): Ternary {
  let unknown = false;
  for (const filter of filters) {
    const truth = evaluate(filter, scope);
    if (truth === decisive) return decisive;
    if (truth === null) unknown = true;
  }
  return unknown ? null : !decisive;
}

function evaluateCompare(filter: Extract<Filter, { kind: 'compare' }>, scope: MatchScope): Ternary {
  const { field, operator } = filter;
  if (operator === '_submitted') return Object.hasOwn(scope.item, field.name);
  const value = readOwnValue(field, scope);
  const type = scope.lookup.typeOf([...scope.path, field]) ?? typeOfValue(value);
  const operand = filter.slot === null ? null : scope.literals[filter.slot];
  if (field.fn === null) return matchCondition(operator, type, value, operand);
  const computed = computeFunction(field, type, value);
  return field.fn === 'json' ? matchJson(operator, computed, operand) : matchCondition(operator, 'integer', computed, operand);
}

/** A many-to-one that is sent as an object with its key has the value of that key. */
function readOwnValue(field: FieldRef, { item, lookup, path }: MatchScope): unknown {
  const value = readField(item, field.name);
  const key = isPlainObject(value) ? lookup.relatedFieldOf([...path, field]) : null;
  return key !== null && isPlainObject(value) && Object.hasOwn(value, key) ? value[key] : value;
}

function evaluateJson(filter: Extract<Filter, { kind: 'json' }>, scope: MatchScope): Ternary {
  const value = readAt(readField(scope.item, filter.field.name), parseJsonPath(filter.path));
  return matchJson(filter.operator, value, filter.slot === null ? null : scope.literals[filter.slot]);
}

/** Inside JSON only numbers are ordered; everything else is compared as text. */
function matchJson(operator: OperatorName, value: unknown, operand: unknown): Ternary {
  if (operators[operator].group === 'order') return typeof value === 'number' ? matchCondition(operator, 'float', value, operand) : null;
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  return matchCondition(operator, 'string', text === null || text === undefined ? null : String(text), operand);
}

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

/** The related items contained in the item, each with its position. */
export function relatedScopes(field: FieldRef, scope: MatchScope): readonly MatchScope[] {
  const path = [...scope.path, field];
  if (field.scope !== null && readField(scope.item, scope.lookup.collectionFieldOf(path) ?? '') !== field.scope) return [];
  const value = readField(scope.item, field.name);
  const items = Array.isArray(value) ? value : [value];
  return items.filter(isPlainObject).map((item) => ({ ...scope, item, path }));
}
