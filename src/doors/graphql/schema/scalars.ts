// The scalars beside the five of the standard. Answers come from the database as JSON and are not converted again, so scalars only read
// what clients send.

import { type ConstValueNode, GraphQLError, GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';

const untyped = (node: ValueNode | ConstValueNode, variables?: Readonly<Record<string, unknown>> | null): unknown =>
  valueFromASTUntyped(node, variables === null || variables === undefined ? undefined : { ...variables });

/** Checked alike whether it stands in the document or in the variables. */
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

/** Numbers keep their digits: a literal may be longer than a number of JavaScript can hold. */
function literal(node: ValueNode, variables: Parameters<typeof untyped>[1]): unknown {
  if (node.kind !== Kind.INT) return untyped(node, variables);
  const number = Number(node.value);
  return Number.isSafeInteger(number) ? number : node.value;
}

const text =
  (name: string) =>
  (value: unknown): unknown => {
    if (typeof value !== 'string') throw new GraphQLError(`${name} takes text.`);
    return value;
  };

export const dateScalar = scalar('Date', 'A date, a time or both, as ISO 8601 text.', text('Date'));

export const hashScalar = scalar('Hash', 'A secret: written as plain text, read as stars.', text('Hash'));

export const jsonScalar = scalar('JSON', 'Any JSON value.', (value) => value);

export const voidScalar = scalar('Void', 'Nothing.', () => null);

export const bigIntScalar = scalar(
  'GraphQLBigInt',
  'A whole number as text, since it may exceed what a number of JSON holds.',
  (value) => {
    if ((typeof value === 'string' && /^-?\d+$/.test(value)) || Number.isSafeInteger(value)) return String(value);
    // `$NOW` and its kin are texts, too.
    if (typeof value === 'string' && value.startsWith('$')) return value;
    throw new GraphQLError('GraphQLBigInt takes a whole number as text.');
  },
  String,
);

export const stringOrFloatScalar = scalar('GraphQLStringOrFloat', 'A number, or text that stands for one.', (value) => {
  if (typeof value === 'string' || typeof value === 'number') return value;
  throw new GraphQLError('GraphQLStringOrFloat takes a number or text.');
});

export const jsonFilterScalar = scalar('GraphQLJsonFilter', 'Conditions by path: {"size.width": {"_gt": 3}}.', (value) => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new GraphQLError('GraphQLJsonFilter takes an object of paths.');
});

export const geoJsonScalar = scalar('GraphQLGeoJSON', 'A geometry as GeoJSON.', (value) => value);
