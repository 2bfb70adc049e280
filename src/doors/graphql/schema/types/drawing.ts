// The other types that the drawing of one type refers to. A type is drawn when it is first requested, so a request draws only those it names.

import type { GraphQLEnumType, GraphQLInputObjectType, GraphQLObjectType, GraphQLUnionType } from 'graphql';
import type { Action } from '../../../../core/access/permission.js';
import type { SchemaView } from '../../../../core/access/view.js';
import type { Collection } from '../../../../core/schema/schema.js';

export interface Drawing {
  readonly view: SchemaView;
  /** The collection, if the caller may do this to it and it has a field to name; else null. */
  find(collection: string, action: Action): Collection | null;
  /** The name of the object type. */
  nameOf(collection: string): string;
  object(collection: string): GraphQLObjectType;
  version(collection: string): GraphQLObjectType;
  filter(collection: string): GraphQLInputObjectType;
  quantifier(collection: string): GraphQLInputObjectType;
  input(action: 'create' | 'update', collection: string): GraphQLInputObjectType;
  changes(collection: string): GraphQLInputObjectType;
  aggregated(collection: string): GraphQLObjectType;
  /** null: the collection has no such field. */
  counts(collection: string): GraphQLObjectType | null;
  totals(collection: string): GraphQLObjectType | null;
  extremes(collection: string): GraphQLObjectType | null;
  mutated(collection: string): GraphQLObjectType;
  union(collection: string, field: string): GraphQLUnionType;
  jsonFunctions(collection: string, field: string): GraphQLObjectType;
  /** null: the field accepts any text. */
  choices(collection: string, field: string): GraphQLEnumType | null;
}
