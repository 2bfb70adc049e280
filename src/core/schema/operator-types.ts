// Which operators fit which type (items.md 2.3), and by which type their operand is read.

import type { OperatorName } from '../query/operators.js';
import type { ColumnType, FieldType } from './field-type.js';

const isNull: readonly OperatorName[] = ['_null', '_nnull'];
const isEmpty: readonly OperatorName[] = ['_empty', '_nempty'];
const equality: readonly OperatorName[] = ['_eq', '_neq'];
const membership: readonly OperatorName[] = ['_in', '_nin'];
const order: readonly OperatorName[] = ['_lt', '_lte', '_gt', '_gte', '_between', '_nbetween'];
const textSearch: readonly OperatorName[] = [
  '_contains',
  '_ncontains',
  '_icontains',
  '_starts_with',
  '_nstarts_with',
  '_istarts_with',
  '_nistarts_with',
  '_ends_with',
  '_nends_with',
  '_iends_with',
  '_niends_with',
];
const spatial: readonly OperatorName[] = ['_intersects', '_nintersects', '_intersects_bbox', '_nintersects_bbox'];

const group = (...lists: readonly (readonly OperatorName[])[]): ReadonlySet<OperatorName> => new Set(lists.flat());

const nullChecks = group(isNull);
const secret = group(isNull, isEmpty);
const text = group(isNull, isEmpty, equality, membership, textSearch);
const comparable = group(isNull, equality, membership, order);
const identity = group(isNull, equality, membership);
const geometry = group(isNull, equality, spatial);

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
  timestamp: group(isNull, isEmpty, equality, membership, order, ['_contains', '_ncontains']),
  boolean: group(isNull, equality),
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

/** What `_json` can ask about one place inside a JSON value. */
export const jsonOperators: ReadonlySet<OperatorName> = group(isNull, isEmpty, equality, membership, order, textSearch);

/** Concealed values answer only whether they are there. */
export function operatorsOf(type: FieldType, concealed: boolean): ReadonlySet<OperatorName> {
  return concealed ? secret : byType[type];
}

export const fitsOperator = (operator: OperatorName, type: FieldType, concealed: boolean): boolean =>
  operatorsOf(type, concealed).has(operator);

/** Validation rules also ask whether a value was sent, match patterns, and compare what a request may not. */
export function fitsValidation(operator: OperatorName, type: FieldType): boolean {
  if (operator === '_submitted') return true;
  return operator === '_regex'
    ? byType[type] === text || type === 'hash' || type === 'uuid'
    : byType[type].has(operator) || secret.has(operator);
}

/** Text operators read their operand as text, whatever the field's type. */
export function operandType(operator: OperatorName, type: ColumnType): ColumnType {
  return textOperators.has(operator) ? 'string' : type;
}

const textOperators: ReadonlySet<OperatorName> = group(textSearch, ['_regex']);
