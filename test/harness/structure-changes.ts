// Builds structure changes for tests, with plain defaults.

import type { ColumnType } from '../../src/core/schema/types/field-type.js';
import type { ColumnSpec, ForeignKeySpec, StructureChange } from '../../src/core/vendor/ddl.js';

export const column = (name: string, type: ColumnType, more: Partial<ColumnSpec> = {}): ColumnSpec => ({
  name,
  type,
  nullable: true,
  default: null,
  maxLength: null,
  precision: null,
  scale: null,
  unique: false,
  indexed: false,
  primaryKey: false,
  autoIncrement: false,
  comment: null,
  generationExpression: null,
  ...more,
});
/** A number that the database generates. */
export const key = column('id', 'integer', { nullable: false, primaryKey: true, autoIncrement: true });
export const named = (name: string) => ({ schema: null, name });
export const create = (
  name: string,
  columns: readonly ColumnSpec[],
  more: Partial<Extract<StructureChange, { kind: 'create-table' }>> = {},
): StructureChange => ({
  kind: 'create-table',
  table: named(name),
  columns,
  primaryKey: ['id'],
  foreignKeys: [],
  uniques: [],
  comment: null,
  ...more,
});
export const reference = (columnName: string, foreignTable: string, more: Partial<ForeignKeySpec> = {}): ForeignKeySpec => ({
  name: `${columnName}_${foreignTable}_foreign`,
  columns: [columnName],
  foreignSchema: null,
  foreignTable,
  foreignColumns: ['id'],
  onDelete: 'SET NULL',
  onUpdate: 'NO ACTION',
  ...more,
});
