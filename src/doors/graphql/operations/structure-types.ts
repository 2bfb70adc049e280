// Collections, fields and relations as types: metadata as the system tables have it, the database's side as specification 2.4 lists it.

import {
  GraphQLBoolean,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLScalarType,
  GraphQLString,
} from 'graphql';
import type { ColumnType } from '../../../core/schema/field-type.js';
import { systemDefinitions } from '../../../service/system/system-definitions.js';
import { jsonScalar } from '../schema/scalars.js';

type Scalar = GraphQLScalarType | GraphQLList<GraphQLScalarType>;
type Fields = Readonly<Record<string, { readonly type: Scalar }>>;

const byType: Partial<Record<ColumnType, Scalar>> = {
  integer: GraphQLInt,
  boolean: GraphQLBoolean,
  json: jsonScalar,
  csv: new GraphQLList(GraphQLString),
};

/** The columns of a metadata table; `special` is one text of flags (specification 2.3). */
function metaFields(collection: string, without: readonly string[] = []): Fields {
  const fields = systemDefinitions.find((definition) => definition.collection === collection)?.fields ?? [];
  const shown = fields.filter(({ field, hidden }) => !hidden && !without.includes(field));
  return Object.fromEntries(
    shown.map(({ field, type }) => [field, { type: field === 'special' ? GraphQLString : (byType[type] ?? GraphQLString) }]),
  );
}

const texts = (names: readonly string[]): Fields => Object.fromEntries(names.map((name) => [name, { type: GraphQLString }]));
const numbers = (names: readonly string[]): Fields => Object.fromEntries(names.map((name) => [name, { type: GraphQLInt }]));
const flags = (names: readonly string[]): Fields => Object.fromEntries(names.map((name) => [name, { type: GraphQLBoolean }]));

const columnFields: Fields = {
  ...texts(['name', 'table', 'data_type', 'default_value']),
  ...numbers(['max_length', 'numeric_precision', 'numeric_scale']),
  ...flags(['is_generated', 'is_nullable', 'is_unique', 'is_indexed', 'is_primary_key', 'has_auto_increment']),
  ...texts(['generation_expression', 'foreign_key_column', 'foreign_key_table', 'comment']),
};
const tableFields = texts(['name', 'schema', 'comment']);
const foreignKeyFields = texts(['table', 'column', 'foreign_key_table', 'foreign_key_column', 'on_update', 'on_delete', 'constraint_name']);

interface Resource {
  readonly output: GraphQLObjectType;
  readonly input: GraphQLInputObjectType;
}

function resource(
  name: string,
  own: Fields,
  meta: Fields,
  schema: Fields,
  more: Readonly<Record<string, { readonly type: GraphQLList<GraphQLNonNull<GraphQLInputObjectType>> }>> = {},
): Resource {
  // A default may be sent as any value, or as an expression, and is answered as text.
  const defaults = { default_value: { type: jsonScalar }, default_expression: { type: GraphQLString } };
  const sent = 'default_value' in schema ? { ...schema, ...defaults } : schema;
  return {
    output: new GraphQLObjectType({
      name,
      fields: {
        ...own,
        meta: { type: new GraphQLObjectType({ name: `${name}_meta`, fields: { ...meta } }) },
        schema: { type: new GraphQLObjectType({ name: `${name}_schema`, fields: { ...schema } }) },
      },
    }),
    input: new GraphQLInputObjectType({
      name: `write_${name}_input`,
      fields: {
        ...own,
        meta: { type: new GraphQLInputObjectType({ name: `write_${name}_meta_input`, fields: { ...meta } }) },
        schema: { type: new GraphQLInputObjectType({ name: `write_${name}_schema_input`, fields: { ...sent } }) },
        ...more,
      },
    }),
  };
}

export const fieldTypes = resource('service_fields', texts(['collection', 'field', 'type']), metaFields('service_fields'), columnFields);

export const collectionTypes = resource('service_collections', texts(['collection']), metaFields('service_collections'), tableFields, {
  fields: { type: new GraphQLList(new GraphQLNonNull(fieldTypes.input)) },
});

export const relationTypes = resource(
  'service_relations',
  texts(['collection', 'field', 'related_collection']),
  metaFields('service_relations'),
  foreignKeyFields,
);

const given = { type: new GraphQLNonNull(GraphQLString) };

export const deletedCollection = new GraphQLObjectType({ name: 'delete_collection', fields: { collection: given } });
export const deletedField = new GraphQLObjectType({ name: 'delete_field', fields: { collection: given, field: given } });
export const deletedRelation = new GraphQLObjectType({ name: 'delete_relation', fields: { collection: given, field: given } });
