// The GraphQL type of a column's value, and the cast where GraphQL answers it in another form than REST.

import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLID,
  GraphQLList,
  type GraphQLScalarType,
  GraphQLString,
  Kind,
  type ValueNode,
} from 'graphql';
import type { Maybe } from 'graphql/jsutils/Maybe.js';
import type { Collection, ColumnField } from '../../../../core/schema/schema.js';
import type { FieldType } from '../../../../core/schema/types/field-type.js';
import { bigIntScalar, dateScalar, floatScalar, geoJsonScalar, hashScalar, intScalar, jsonScalar } from './scalars.js';

export type ColumnScalar = GraphQLScalarType | GraphQLList<GraphQLScalarType>;

const listOfText = new GraphQLList(GraphQLString);

const byType: Partial<Record<FieldType, ColumnScalar>> = {
  string: GraphQLString,
  text: GraphQLString,
  binary: GraphQLString,
  integer: intScalar,
  bigInteger: bigIntScalar,
  float: floatScalar,
  decimal: floatScalar,
  boolean: GraphQLBoolean,
  date: dateScalar,
  time: dateScalar,
  dateTime: dateScalar,
  timestamp: dateScalar,
  csv: listOfText,
  uuid: GraphQLID,
  hash: hashScalar,
};

/** Values of a vendor's own types may be texts, lists or objects, so they are JSON. */
export function scalarOf(field: ColumnField): ColumnScalar {
  if (field.concealed) return hashScalar;
  // An unsigned column of four bytes says that it exceeds the range of Int. Every column of SQLite could, and few do.
  if (field.type === 'integer' && field.column.range?.max === 2n ** 32n - 1n) return floatScalar;
  return byType[field.type] ?? (field.type.startsWith('geometry') ? geoJsonScalar : jsonScalar);
}

/** Whether the field is the whole primary key. A key is an ID; the parts of a composite key keep their types. */
export const isKey = (collection: Collection, field: ColumnField): boolean =>
  collection.primaryKey.length === 1 && collection.primaryKey[0] === field.name;

export function castOf(collection: Collection, field: ColumnField): { readonly cast?: 'string' | 'number' } {
  if (isKey(collection, field)) return { cast: 'string' };
  return field.type === 'decimal' ? { cast: 'number' } : {};
}

/** Accepts a choice in quotes as well, as the field did before its column had choices. Filters keep accepting any text. */
class ChoiceType extends GraphQLEnumType {
  override parseLiteral(node: ValueNode, variables: Maybe<Record<string, unknown>>): Maybe<unknown> {
    return node.kind === Kind.STRING ? this.parseValue(node.value) : super.parseLiteral(node, variables);
  }
}

export const drawChoices = (name: string, choices: readonly string[]): GraphQLEnumType =>
  new ChoiceType({ name, values: Object.fromEntries(choices.map((choice) => [choice, {}])) });
