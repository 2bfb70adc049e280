// The shapes of operations as GraphQL types. A choice, an object or a document becomes a type if its shape has a name; otherwise a choice
// is text, and an object, or a list of such objects, is JSON. Braces in a type name enclose a system collection and are replaced by its
// name in this database.

import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLScalarType,
  GraphQLString,
} from 'graphql';
import type { Members, Shape, ShapeFacts } from '../../../service/operations/shape.js';
import { bigIntScalar, jsonScalar } from '../schema/types/scalars.js';

/** What this database calls a system collection. */
type NameOf = (collection: string) => string;
const asInCode: NameOf = (collection) => collection;

/** The arguments of a field: the members of an operation's input. */
export const drawArguments = (members: Members, nameOf: NameOf = asInCode): GraphQLFieldConfigArgumentMap =>
  mapValues(members, (shape) => ({ type: inputType(shape, nameOf) }));

function inputType({ facts, absent }: Shape<unknown>, nameOf: NameOf): GraphQLInputType {
  const type = bareInput(facts, nameOf);
  return absent === null ? new GraphQLNonNull(type) : type;
}

function bareInput(
  facts: ShapeFacts,
  nameOf: NameOf,
): GraphQLScalarType | GraphQLEnumType | GraphQLInputObjectType | GraphQLList<GraphQLInputType> {
  if (facts.kind === 'one-or-many' || (facts.kind === 'list' && facts.lone)) return bareInput(facts.of.facts, nameOf);
  if (facts.kind === 'list') return isJson(facts.of.facts) ? jsonScalar : new GraphQLList(inputType(facts.of, nameOf));
  if ((facts.kind === 'object' || facts.kind === 'document') && facts.name !== null) return namedInput(facts, facts.name, nameOf);
  return leafType(facts);
}

/** The type of a field. The entries of a list exist. */
export function answerType(shape: Shape<unknown>, nameOf: NameOf): GraphQLOutputType {
  const { facts } = shape;
  if (facts.kind !== 'list' || isJson(facts.of.facts)) return outputType(shape, nameOf);
  return new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(outputType(facts.of, nameOf))));
}

/** The type of an operation's answer, in which every part is nullable. */
export function outputType({ facts }: Shape<unknown>, nameOf: NameOf = asInCode): GraphQLOutputType {
  if (facts.kind === 'list') return isJson(facts.of.facts) ? jsonScalar : new GraphQLList(outputType(facts.of, nameOf));
  if (facts.kind === 'one-or-many') return outputType(facts.of, nameOf);
  if (facts.kind === 'object' && facts.name !== null) return namedOutput(facts, facts.name, nameOf);
  return leafType(facts);
}

const isJson = (facts: ShapeFacts): boolean => leafOf.get(facts.kind) === jsonScalar && !('name' in facts && facts.name !== null);

const leafOf: ReadonlyMap<ShapeFacts['kind'], GraphQLScalarType> = new Map([
  ['text', GraphQLString],
  ['choice', GraphQLString],
  ['integer', GraphQLInt],
  ['boolean', GraphQLBoolean],
  // Success without a value is answered as true.
  ['nothing', GraphQLBoolean],
  ['key', GraphQLID],
  ['item-key', GraphQLID],
  ['json', jsonScalar],
  ['document', jsonScalar],
  ['query', jsonScalar],
  ['object', jsonScalar],
]);

/** The largest value of Int. */
const maxInt = 2_147_483_647;

function leafType(facts: ShapeFacts): GraphQLScalarType | GraphQLEnumType {
  if (facts.kind === 'choice' && facts.name !== null) return namedEnum(facts, facts.name, asInCode);
  if (facts.kind === 'integer' && facts.max > maxInt) return bigIntScalar;
  if (facts.kind === 'json' && facts.asText) return GraphQLString;
  const type = leafOf.get(facts.kind);
  if (type === undefined) throw new Error(`GraphQL has no type for ${facts.kind}`);
  return type;
}

/** A schema may hold one type of a name only, so that equal shapes have to be drawn as the same object. */
function drawnOnce<Facts extends ShapeFacts, Type>(
  draw: (facts: Facts, name: string, nameOf: NameOf) => Type,
): (facts: Facts, name: string, nameOf: NameOf) => Type {
  const drawn = new WeakMap<ShapeFacts, Map<string, Type>>();
  return (facts, given, nameOf) => {
    const name = given.replace(/\{(\w+)\}/g, (_, collection: string) => nameOf(collection));
    const byName = drawn.get(facts) ?? new Map<string, Type>();
    const type = byName.get(name) ?? draw(facts, name, nameOf);
    drawn.set(facts, byName.set(name, type));
    return type;
  };
}

type ObjectFacts = Extract<ShapeFacts, { members: Members }>;
type ChoiceFacts = Extract<ShapeFacts, { kind: 'choice' }>;

const namedEnum = drawnOnce(
  ({ choices }: ChoiceFacts, name) => new GraphQLEnumType({ name, values: Object.fromEntries(choices.map((choice) => [choice, {}])) }),
);
const namedInput = drawnOnce(
  ({ members }: ObjectFacts, name, nameOf) =>
    new GraphQLInputObjectType({ name, fields: mapValues(members, (shape) => ({ type: inputType(shape, nameOf) })) }),
);
const namedOutput = drawnOnce(
  ({ members }: ObjectFacts, name, nameOf) =>
    new GraphQLObjectType({ name, fields: mapValues(members, (shape) => ({ type: outputType(shape, nameOf) })) }),
);

const mapValues = <T>(members: Members, draw: (shape: Shape<unknown>) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(members).map(([name, shape]) => [name, draw(shape)]));
