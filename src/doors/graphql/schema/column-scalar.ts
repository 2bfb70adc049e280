// The scalar of a column, and how its value is answered where GraphQL's form is not REST's.

import { GraphQLBoolean, GraphQLFloat, GraphQLID, GraphQLInt, GraphQLList, type GraphQLScalarType, GraphQLString } from 'graphql';
import type { FieldType } from '../../../core/schema/field-type.js';
import type { Collection, ColumnField } from '../../../core/schema/schema.js';
import { bigIntScalar, dateScalar, geoJsonScalar, hashScalar, jsonScalar } from './scalars.js';

export type ColumnScalar = GraphQLScalarType | GraphQLList<GraphQLScalarType>;

const listOfText = new GraphQLList(GraphQLString);

const byType: Partial<Record<FieldType, ColumnScalar>> = {
  string: GraphQLString,
  text: GraphQLString,
  binary: GraphQLString,
  integer: GraphQLInt,
  bigInteger: bigIntScalar,
  float: GraphQLFloat,
  decimal: GraphQLFloat,
  boolean: GraphQLBoolean,
  date: dateScalar,
  time: dateScalar,
  dateTime: dateScalar,
  timestamp: dateScalar,
  csv: listOfText,
  uuid: GraphQLID,
  hash: hashScalar,
};

/** What a vendor's own types come as (text, a list) is known only by looking. */
export function scalarOf(field: ColumnField): ColumnScalar {
  if (field.concealed) return hashScalar;
  return byType[field.type] ?? (field.type.startsWith('geometry') ? geoJsonScalar : jsonScalar);
}

/** A key of one column is an ID; the parts of a composite key are what they are. */
export const isKey = (collection: Collection, field: ColumnField): boolean =>
  collection.primaryKey.length === 1 && collection.primaryKey[0] === field.name;

export function castOf(collection: Collection, field: ColumnField): { readonly cast?: 'string' | 'number' } {
  if (isKey(collection, field)) return { cast: 'string' };
  return field.type === 'decimal' ? { cast: 'number' } : {};
}
