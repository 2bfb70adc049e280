// One operator with its operand. Checks the shape that the operator table asks for, turns the texts `true`, `false` and `null` into values,
// replaces a flag that is false by its opposite (`_null: false` becomes `_nnull`), and moves what remains into the literals.

import { invalidQuery, unreachable } from '../../errors/service-error.js';
import { isPlainObject, type PlainObject } from '../../util/plain-object.js';
import { type OperatorName, operators } from '../operators.js';
import type { Slot } from '../query.js';
import { addLiteral, countNode, countValues, type ParseContext } from './parse-context.js';

export interface Condition {
  readonly operator: OperatorName;
  readonly slot: Slot | null;
  /** The operand is, or contains, a list or an object, which only fields with such values accept. */
  readonly structured?: true;
}

/** A list or an object is one value to fields that hold such values; other fields refuse it when the filter is bound. */
type Scalar = string | number | bigint | boolean | null | readonly unknown[] | PlainObject;

/** The operator that a flag stands for when it is false. */
const opposite: Partial<Record<OperatorName, OperatorName>> = { _null: '_nnull', _nnull: '_null', _empty: '_nempty', _nempty: '_empty' };

export function parseCondition(operator: OperatorName, value: unknown, context: ParseContext): Condition {
  countNode(context);
  const shape = operators[operator].operand;
  switch (shape) {
    case 'none':
      return { operator: parseFlag(operator, value), slot: null };
    case 'scalar':
      return parseScalarCondition(operator, value, context);
    case 'list':
      return parseListCondition(operator, parseList(operator, value, context), context);
    case 'pair':
      return parseListCondition(operator, parsePair(operator, value, context), context);
    case 'geometry':
      return { operator, slot: addLiteral(context, parseGeometryOperand(operator, value)) };
    default:
      return unreachable(shape);
  }
}

/** A flag without a value is true: `filter[category][_nnull]`. */
function parseFlag(operator: OperatorName, value: unknown): OperatorName {
  if (value === true || value === 'true' || value === '' || value === null || value === undefined) return operator;
  const negation = opposite[operator];
  if ((value === false || value === 'false') && negation) return negation;
  throw invalidQuery(`"${operator}" has to be true or false.`);
}

function parseScalarCondition(operator: OperatorName, value: unknown, context: ParseContext): Condition {
  const scalar = parseScalar(operator, value, context);
  if (scalar === null) {
    if (operator === '_eq') return { operator: '_null', slot: null };
    if (operator === '_neq') return { operator: '_nnull', slot: null };
    throw invalidQuery(`"${operator}" cannot compare with null: use "_null" or "_nnull".`);
  }
  if (scalar === '' && context.use === 'request' && operators[operator].group !== 'equality')
    throw invalidQuery(`"${operator}" has an empty value: use "_empty" or "_nempty".`);
  return withStructure({ operator, slot: addLiteral(context, scalar) }, [scalar]);
}

const parseListCondition = (operator: OperatorName, list: readonly Scalar[], context: ParseContext): Condition =>
  withStructure({ operator, slot: addLiteral(context, list) }, list);

const withStructure = (condition: Condition, values: readonly Scalar[]): Condition =>
  values.some((value) => typeof value === 'object' && value !== null) ? { ...condition, structured: true } : condition;

/** For values that are never a list or an object: aggregates and places inside JSON. */
export function parsePlainCondition(operator: OperatorName, value: unknown, context: ParseContext): Condition {
  const condition = parseCondition(operator, value, context);
  if (condition.structured) throw invalidQuery(`"${operator}" takes one value, not a list or an object.`);
  return condition;
}

/** The texts `true`, `false` and `null` stand for the values, in JSON as well as in URLs. */
function parseScalar(operator: OperatorName, value: unknown, context: ParseContext): Scalar {
  if (value === null || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return value;
  if (Array.isArray(value) || isPlainObject(value)) return countEntries(value, context);
  if (typeof value !== 'string') throw invalidQuery(`"${operator}" takes one value.`);
  if (value === 'true') return true;
  if (value === 'false') return false;
  return value === 'null' ? null : value;
}

/** Counts nested values like the values of a list: each costs as much to bind. */
function countEntries<T extends readonly unknown[] | PlainObject>(value: T, context: ParseContext): T {
  const entries = Object.values(value);
  countValues(context, entries.length);
  for (const entry of entries) if (Array.isArray(entry) || isPlainObject(entry)) countEntries(entry, context);
  return value;
}

function parseList(operator: OperatorName, value: unknown, context: ParseContext): readonly Scalar[] {
  const entries = readList(value);
  countValues(context, entries.length);
  const list = entries.map((entry) => parseScalar(operator, entry, context));
  if (list.length === 0) throw invalidQuery(`"${operator}" has an empty list.`);
  if (list.includes(null)) throw invalidQuery(`"${operator}" cannot hold null: use "_null" or "_nnull" beside it.`);
  return list;
}

function parsePair(operator: OperatorName, value: unknown, context: ParseContext): readonly Scalar[] {
  const pair = parseList(operator, value, context);
  if (pair.length !== 2) throw invalidQuery(`"${operator}" takes exactly two values.`);
  return pair;
}

function readList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return value === '' ? [] : value.split(',');
  return [value];
}

/** GeoJSON as an object or as text. Its content is checked later, when the literal is coerced to the field's type. */
function parseGeometryOperand(operator: OperatorName, value: unknown): unknown {
  if (isPlainObject(value) || (typeof value === 'string' && value !== '')) return value;
  throw invalidQuery(`"${operator}" takes a GeoJSON geometry.`);
}
