// Turns definitions into specifications of columns, foreign keys and indexes for the DDL of a vendor.

import type { SystemDefinition, SystemField, SystemRelation } from '../../core/schema/system-definition.js';
import type { SystemHome } from '../../core/schema/system-home.js';
import type { ColumnSpec, ForeignKeySpec, StructureChange } from '../../core/vendor/ddl.js';

export type CreateIndex = Extract<StructureChange, { kind: 'create-index' }>;

/** States no indexes: they are created one by one afterwards, so that an interrupted start can continue where it stopped. */
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

/** null for a relation without a foreign key. */
export function foreignKeySpec(definition: SystemDefinition, relation: SystemRelation, system: SystemHome): ForeignKeySpec | null {
  if (relation.onDelete === null) return null;
  return {
    name: `${definition.collection}_${relation.field}_foreign`,
    columns: [relation.field],
    foreignSchema: system.schema,
    foreignTable: relation.related,
    foreignColumns: ['id'],
    onDelete: relation.onDelete,
    onUpdate: 'NO ACTION',
  };
}

export function indexChanges(definition: SystemDefinition, system: SystemHome): readonly CreateIndex[] {
  const table = system.find(definition).table;
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
