// What drawing one type may ask about the others. Types are made when first asked for, so that a request makes only those it names.

import type { GraphQLInputObjectType, GraphQLObjectType, GraphQLUnionType } from 'graphql';
import type { Action } from '../../../core/access/permission.js';
import type { SchemaView } from '../../../core/access/view.js';
import type { Collection } from '../../../core/schema/schema.js';

export interface Drawing {
  readonly view: SchemaView;
  /** The collection, if it is drawn for this action: the caller may do it, and there is something to name. */
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
  /** null: no field has such values. */
  counts(collection: string): GraphQLObjectType | null;
  totals(collection: string): GraphQLObjectType | null;
  extremes(collection: string): GraphQLObjectType | null;
  mutated(collection: string): GraphQLObjectType;
  union(collection: string, field: string): GraphQLUnionType;
  jsonFunctions(collection: string, field: string): GraphQLObjectType;
}
