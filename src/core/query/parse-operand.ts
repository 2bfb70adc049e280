// One operator with its operand: checks the shape the operators table asks for, turns texts into booleans and null, spells flags
// out (`_null: false` is `_nnull`) and puts what is left into the literals.

import { invalidQuery, unreachable } from '../errors/service-error.js';
import { type OperatorName, operators } from './operators.js';
import { addLiteral, countNode, countValues, type ParseContext } from './parse-context.js';
import type { Slot } from './query.js';
import { isStructure } from './structure.js';

export interface Condition {
  readonly operator: OperatorName;
  readonly slot: Slot | null;
}

type Scalar = string | number | bigint | boolean | null;

/** What a flag means when it is false. */
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
      return { operator, slot: addLiteral(context, parseList(operator, value, context)) };
    case 'pair':
      return { operator, slot: addLiteral(context, parsePair(operator, value, context)) };
    case 'geometry':
      return { operator, slot: addLiteral(context, parseGeometryOperand(operator, value)) };
    default:
      return unreachable(shape);
  }
}

/** Without a value a flag is true: `filter[category][_nnull]`. */
function parseFlag(operator: OperatorName, value: unknown): OperatorName {
  if (value === true || value === 'true' || value === '' || value === null || value === undefined) return operator;
  const negation = opposite[operator];
  if ((value === false || value === 'false') && negation) return negation;
  throw invalidQuery(`"${operator}" has to be true or false.`);
}

function parseScalarCondition(operator: OperatorName, value: unknown, context: ParseContext): Condition {
  const scalar = parseScalar(operator, value);
  if (scalar === null) {
    if (operator === '_eq') return { operator: '_null', slot: null };
    if (operator === '_neq') return { operator: '_nnull', slot: null };
    throw invalidQuery(`"${operator}" cannot compare with null: use "_null" or "_nnull".`);
  }
  if (scalar === '' && context.use === 'request') throw invalidQuery(`"${operator}" has an empty value: use "_empty" or "_nempty".`);
  return { operator, slot: addLiteral(context, scalar) };
}

/** The texts `true`, `false` and `null` mean the values, in URLs and JSON alike. */
function parseScalar(operator: OperatorName, value: unknown): Scalar {
  if (value === null || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return value;
  if (typeof value !== 'string') throw invalidQuery(`"${operator}" takes one value, not a list or an object.`);
  if (value === 'true') return true;
  if (value === 'false') return false;
  return value === 'null' ? null : value;
}

function parseList(operator: OperatorName, value: unknown, context: ParseContext): readonly Scalar[] {
  const entries = readList(value);
  countValues(context, entries.length);
  const list = entries.map((entry) => parseScalar(operator, entry));
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

/** GeoJSON as an object or as text; whether it is a geometry is checked by its type's codec. */
function parseGeometryOperand(operator: OperatorName, value: unknown): unknown {
  if (isStructure(value) || (typeof value === 'string' && value !== '')) return value;
  throw invalidQuery(`"${operator}" takes a GeoJSON geometry.`);
}
