// The scalars besides the five of the standard. The database writes answers as JSON, so scalars mostly check what clients send; only
// answers of operations are serialized.

import { type ConstValueNode, GraphQLError, GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { numberIfExact } from '../../../../core/schema/types/decimal.js';
import { isPlainObject } from '../../../../core/util/plain-object.js';

const untyped = (node: ValueNode | ConstValueNode, variables?: Readonly<Record<string, unknown>> | null): unknown =>
  valueFromASTUntyped(node, variables === null || variables === undefined ? undefined : { ...variables });

/** Literals in the document and values of variables pass the same check. */
function scalar(
  name: string,
  description: string,
  check: (value: unknown) => unknown,
  serialize: (value: unknown) => unknown = (value) => value,
): GraphQLScalarType {
  return new GraphQLScalarType({
    name,
    description,
    serialize,
    parseValue: check,
    parseLiteral: (node, variables) => check(literal(node, variables)),
  });
}

/** A number keeps its digits: a literal may have more of them than a double can hold. */
function literal(node: ValueNode, variables: Parameters<typeof untyped>[1]): unknown {
  if (node.kind !== Kind.INT && node.kind !== Kind.FLOAT) return untyped(node, variables);
  const number = Number(node.value);
  return Number.isSafeInteger(number) ? number : numberIfExact(node.value);
}

/** Numbers, and dynamic values such as `$NOW`. */
const floatText = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?|\$.*)$/s;

/** What a double does not hold. */
const wholeText = /^-?\d{16,19}$/;

const text =
  (name: string) =>
  (value: unknown): unknown => {
    if (typeof value !== 'string') throw new GraphQLError(`${name} takes text.`);
    return value;
  };

export const dateScalar = scalar('Date', 'A date, a time or both, as ISO 8601 text.', text('Date'));

export const hashScalar = scalar('Hash', 'A secret: written as plain text, read as stars.', text('Hash'));

export const jsonScalar = scalar('JSON', 'Any JSON value.', (value) => value);

export const voidScalar = scalar(
  'Void',
  'Nothing.',
  () => null,
  () => null,
);

export const bigIntScalar = scalar(
  'GraphQLBigInt',
  'A whole number as text, since it may exceed what a number of JSON holds.',
  (value) => {
    if ((typeof value === 'string' && /^-?\d+$/.test(value)) || Number.isSafeInteger(value)) return String(value);
    // Dynamic values such as `$NOW`.
    if (typeof value === 'string' && value.startsWith('$')) return value;
    throw new GraphQLError('GraphQLBigInt takes a whole number as text.');
  },
  String,
);

/**
 * The standard's Float, but exact: a decimal with more digits than a double holds is answered and accepted as text.
 */
export const floatScalar = scalar(
  'Float',
  'A number; as text where a number of JSON would not be exact.',
  (value) => {
    if (typeof value === 'number' || (typeof value === 'string' && floatText.test(value))) return value;
    throw new GraphQLError(`Float cannot represent non numeric value: ${JSON.stringify(value)}`);
  },
  (value) => (typeof value === 'string' ? numberIfExact(value) : value),
);

/**
 * The standard's Int, but wide enough for the integers of SQLite, which have eight bytes: as text where a number of JSON would not be exact.
 */
export const intScalar = scalar('Int', 'A whole number; as text where a number of JSON would not be exact.', (value) => {
  if (Number.isSafeInteger(value) || (typeof value === 'string' && wholeText.test(value))) return value;
  throw new GraphQLError(`Int cannot represent non-integer value: ${JSON.stringify(value)}`);
});

export const stringOrFloatScalar = scalar('GraphQLStringOrFloat', 'A number, or text that stands for one.', (value) => {
  if (typeof value === 'string' || typeof value === 'number') return value;
  throw new GraphQLError('GraphQLStringOrFloat takes a number or text.');
});

export const jsonFilterScalar = scalar('GraphQLJsonFilter', 'Conditions by path: {"size.width": {"_gt": 3}}.', (value) => {
  if (isPlainObject(value)) return value;
  throw new GraphQLError('GraphQLJsonFilter takes an object of paths.');
});

export const geoJsonScalar = scalar('GraphQLGeoJSON', 'A geometry as GeoJSON.', (value) => value);
