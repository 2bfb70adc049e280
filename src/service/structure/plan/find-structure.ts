// Lookups for planners. An unknown collection, field or relation is FORBIDDEN, as in every other request.

import { forbiddenCollection, forbiddenField } from '../../../core/errors/service-error.js';
import type { RawTable } from '../../../core/schema/raw.js';
import type { Collection, Field, Relation, Schema } from '../../../core/schema/schema.js';
import type { SystemDefinition } from '../../../core/schema/system-definition.js';
import type { TableName } from '../../../core/schema/table-name.js';
import { findTable } from '../../../core/vendor/ddl.js';
import type { StructureState } from './structure-state.js';

export function findCollection(schema: Schema, name: string): Collection {
  const collection = schema.collections.get(name);
  if (collection === undefined) throw forbiddenCollection(name);
  return collection;
}

export function findField(collection: Collection, name: string): Field {
  const field = collection.fields.get(name);
  if (field === undefined) throw forbiddenField(name, collection.name);
  return field;
}

export const findRelation = (schema: Schema, collection: string, field: string): Relation | undefined =>
  schema.relations.find((relation) => relation.collection === collection && relation.field === field);

export interface TableCollection extends Collection {
  readonly table: RawTable;
}

/** A collection with a table as the database has it. Views and folders have no columns that the service could change. */
export function findTableCollection({ schema, database }: Pick<StructureState, 'schema' | 'database'>, name: string): TableCollection {
  const collection = findCollection(schema, name);
  const { table } = collection;
  if (table === null || table.kind === 'view') throw forbiddenCollection(name);
  return { ...collection, table: table.namedKey === undefined ? table : (findTable(database, table) ?? table) };
}

/** The schema and name of the table for a new collection. */
export function tableNameOf({ ddl }: Pick<StructureState, 'ddl'>, collection: string): TableName {
  const dot = ddl.hasSchemas ? collection.indexOf('.') : -1;
  return dot < 0 ? { schema: null, name: collection } : { schema: collection.slice(0, dot), name: collection.slice(dot + 1) };
}

/** Whether a system definition declares the field, be it on a system collection or as an alias on a collection of the user. */
export const isServiceField = (definitions: readonly SystemDefinition[], collection: string, field: string): boolean =>
  definitions.some((definition) => {
    if (definition.collection === collection && definition.fields.some((declared) => declared.field === field)) return true;
    return definition.relations.some(
      (relation) => relation.related === collection && relation.aliases.some((alias) => alias.field === field),
    );
  });
