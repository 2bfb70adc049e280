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
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLScalarType,
  GraphQLString,
} from 'graphql';
import type { Schema } from '../../../core/schema/schema.js';
import type { Members, Shape, ShapeFacts } from '../../../service/operations/shape.js';
import { bigIntScalar, floatScalar, intScalar, jsonScalar } from '../schema/types/scalars.js';

/** What the wire calls a system collection, and in which form it answers words. */
type Naming = Pick<Schema, 'nameOf' | 'wire'>;
const asInCode: Naming = { nameOf: (collection) => collection, wire: 'tain' };

/** The arguments of a field: the members of an operation's input. */
export const drawArguments = (members: Members, naming: Naming = asInCode): GraphQLFieldConfigArgumentMap =>
  mapValues(members, (shape) => ({ type: inputType(shape, naming) }));

function inputType({ facts, absent }: Shape<unknown>, naming: Naming): GraphQLInputType {
  const type = bareInput(facts, naming);
  return absent === null ? new GraphQLNonNull(type) : type;
}

function bareInput(
  facts: ShapeFacts,
  naming: Naming,
): GraphQLScalarType | GraphQLEnumType | GraphQLInputObjectType | GraphQLList<GraphQLInputType> {
  if (facts.kind === 'one-or-many' || (facts.kind === 'list' && facts.lone)) return bareInput(facts.of.facts, naming);
  if (facts.kind === 'list') return isJson(facts.of.facts) ? jsonScalar : new GraphQLList(inputType(facts.of, naming));
  if ((facts.kind === 'object' || facts.kind === 'document') && facts.name !== null) return namedInput(facts, facts.name, naming);
  return leafType(facts);
}

/** The type of a field. The entries of a list exist. */
export function answerType(shape: Shape<unknown>, naming: Naming): GraphQLOutputType {
  const { facts } = shape;
  if (facts.kind !== 'list' || isJson(facts.of.facts)) return outputType(shape, naming);
  return new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(outputType(facts.of, naming))));
}

/** The type of an operation's answer, in which every part is nullable. */
export function outputType({ facts }: Shape<unknown>, naming: Naming = asInCode): GraphQLOutputType {
  if (facts.kind === 'list') return isJson(facts.of.facts) ? jsonScalar : new GraphQLList(outputType(facts.of, naming));
  if (facts.kind === 'one-or-many') return outputType(facts.of, naming);
  if (facts.kind === 'words') return naming.wire === 'directus' ? new GraphQLList(GraphQLString) : GraphQLString;
  if (facts.kind === 'object' && facts.name !== null) return namedOutput(facts, facts.name, naming);
  return leafType(facts);
}

const isJson = (facts: ShapeFacts): boolean => leafOf.get(facts.kind) === jsonScalar && !('name' in facts && facts.name !== null);

const leafOf: ReadonlyMap<ShapeFacts['kind'], GraphQLScalarType> = new Map([
  ['text', GraphQLString],
  ['choice', GraphQLString],
  ['integer', intScalar],
  ['number', floatScalar],
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
  draw: (facts: Facts, name: string, naming: Naming) => Type,
): (facts: Facts, name: string, naming: Naming) => Type {
  const drawn = new WeakMap<ShapeFacts, Map<string, Type>>();
  return (facts, given, naming) => {
    const name = given.replace(/\{(\w+)\}/g, (_, collection: string) => naming.nameOf(collection));
    const byName = drawn.get(facts) ?? new Map<string, Type>();
    const type = byName.get(name) ?? draw(facts, name, naming);
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
  ({ members }: ObjectFacts, name, naming) =>
    new GraphQLInputObjectType({ name, fields: mapValues(members, (shape) => ({ type: inputType(shape, naming) })) }),
);
const namedOutput = drawnOnce(
  ({ members }: ObjectFacts, name, naming) =>
    new GraphQLObjectType({ name, fields: mapValues(members, (shape) => ({ type: outputType(shape, naming) })) }),
);

const mapValues = <T>(members: Members, draw: (shape: Shape<unknown>) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(members).map(([name, shape]) => [name, draw(shape)]));
