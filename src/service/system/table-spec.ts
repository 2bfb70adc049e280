// From a definition to what the database is asked to make: columns, foreign keys, indexes.

import type { SystemDefinition, SystemField, SystemRelation } from '../../core/schema/system-definition.js';
import type { ColumnSpec, ForeignKeySpec, StructureChange } from '../../core/vendor/ddl.js';

export type CreateIndex = Extract<StructureChange, { kind: 'create-index' }>;

/** Indexes are made one by one afterwards, so that an interrupted start can go on where it stopped. */
export function columnSpec(definition: SystemDefinition, field: SystemField): ColumnSpec {
  return {
    name: field.field,
    type: field.type,
    nullable: field.nullable,
    default: field.default,
    maxLength: field.maxLength,
    precision: field.precision,
    scale: field.scale,
    unique: false,
    indexed: false,
    primaryKey: definition.primaryKey.includes(field.field),
    autoIncrement: field.autoIncrement,
    comment: null,
    generationExpression: null,
  };
}

/** null for a relation that the database does not guard. */
export function foreignKeySpec(definition: SystemDefinition, relation: SystemRelation, systemSchema: string | null): ForeignKeySpec | null {
  if (relation.onDelete === null) return null;
  return {
    name: `${definition.collection}_${relation.field}_foreign`,
    columns: [relation.field],
    foreignSchema: systemSchema,
    foreignTable: relation.related,
    foreignColumns: ['id'],
    onDelete: relation.onDelete,
    onUpdate: 'NO ACTION',
  };
}

export function indexChanges(definition: SystemDefinition, systemSchema: string | null): readonly CreateIndex[] {
  const table = { schema: systemSchema, name: definition.collection };
  const index = (columns: readonly string[], unique: boolean): CreateIndex => ({
    kind: 'create-index',
    table,
    name: `${definition.collection}_${columns.join('_')}_${unique ? 'unique' : 'index'}`,
    columns,
    unique,
  });
  return [
    ...definition.fields.filter((field) => field.unique).map((field) => index([field.field], true)),
    ...definition.uniques.map((columns) => index(columns, true)),
    ...definition.fields.filter((field) => field.indexed).map((field) => index([field.field], false)),
    ...definition.indexes.map((columns) => index(columns, false)),
  ];
}
