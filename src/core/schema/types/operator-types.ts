// Which operators fit which field type (docs/types.md lists them), and the type by which an operand is read.

import { type OperatorName, operators, operatorsIn } from '../../query/operators.js';
import type { ValueFacts } from './coerced.js';
import type { ColumnType, FieldType } from './field-type.js';

const setOf = (...names: readonly OperatorName[]): ReadonlySet<OperatorName> => new Set(names);

const nullChecks = setOf(...operatorsIn('null'));
const secret = setOf(...operatorsIn('null', 'empty'));
const text = setOf(...operatorsIn('null', 'empty', 'equality', 'membership', 'text'));
const comparable = setOf(...operatorsIn('null', 'equality', 'membership', 'order'));
const identity = setOf(...operatorsIn('null', 'equality', 'membership'));
const geometry = setOf(...operatorsIn('null', 'equality', 'spatial'));
/** Vendor types that JSON represents as lists and objects. */
const structured = setOf(...operatorsIn('null', 'empty', 'equality', 'membership'), '_contains', '_ncontains');

const byType: Readonly<Record<FieldType, ReadonlySet<OperatorName>>> = {
  string: text,
  text,
  csv: text,
  integer: comparable,
  bigInteger: comparable,
  float: comparable,
  decimal: comparable,
  date: comparable,
  time: comparable,
  dateTime: comparable,
  timestamp: setOf(...operatorsIn('null', 'empty', 'equality', 'membership', 'order'), '_contains', '_ncontains'),
  boolean: identity,
  uuid: identity,
  unknown: identity,
  json: nullChecks,
  binary: nullChecks,
  hash: secret,
  geometry,
  'geometry.Point': geometry,
  'geometry.LineString': geometry,
  'geometry.Polygon': geometry,
  'geometry.MultiPoint': geometry,
  'geometry.MultiLineString': geometry,
  'geometry.MultiPolygon': geometry,
  alias: nullChecks,
};

/** The operators that `_json` accepts for a place inside a JSON value. */
export const jsonOperators: ReadonlySet<OperatorName> = setOf(...operatorsIn('null', 'empty', 'equality', 'membership', 'order', 'text'));

/** A concealed value can only be tested for presence. */
export function operatorsOf(type: FieldType, concealed: boolean, facts: ValueFacts | null = null): ReadonlySet<OperatorName> {
  if (concealed) return secret;
  return type === 'unknown' && facts?.structure !== undefined ? structured : byType[type];
}

export const fitsOperator = (operator: OperatorName, type: FieldType, concealed: boolean, facts: ValueFacts | null = null): boolean =>
  operatorsOf(type, concealed, facts).has(operator);

/** Validation rules may also test whether a value was sent, match patterns, and compare values that a request may not compare. */
export function fitsValidation(operator: OperatorName, type: FieldType): boolean {
  if (operator === '_submitted') return true;
  return operator === '_regex'
    ? byType[type] === text || type === 'hash' || type === 'uuid'
    : byType[type].has(operator) || secret.has(operator);
}

/** Text operators read their operand as text, whatever the type of the field. */
export function operandType(operator: OperatorName, type: ColumnType): ColumnType {
  return operators[operator].group === 'text' || operator === '_regex' ? 'string' : type;
}
