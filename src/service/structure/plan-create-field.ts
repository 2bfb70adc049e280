// POST /fields/{collection}: a column with its metadata row, or an alias with the row alone.

import { invalidPayload } from '../../core/errors/service-error.js';
import { type MetaRow, numberOf, textOf } from '../../core/schema/meta-row.js';
import type { RawTable } from '../../core/schema/raw.js';
import type { TableName } from '../../core/schema/table-name.js';
import type { ForeignKeySpec, StructureChange } from '../../core/vendor/ddl.js';
import { type FieldDraft, parseFieldDraft } from './field-draft.js';
import { fieldMetaDefaults } from './field-meta.js';
import { findTableCollection, type TableCollection } from './find-structure.js';
import { foreignKeySpec, noActions } from './foreign-key.js';
import type { StructureState } from './structure-state.js';
import type { InsertRow, Plan } from './unit.js';

export const planCreateField =
  (collection: string, payload: unknown): Plan =>
  (state) => {
    const found = findTableCollection(state.schema, collection);
    const draft = parseFieldDraft(payload, collection, found.table.name, state.rules.dialect.ddl);
    refuseTaken(found, draft.field);
    const rows = state.metadata.fields.filter((row) => row.collection === collection);
    return {
      changes: columnChanges(state, found, draft),
      rows: draft.meta === null ? [] : [insertFieldRow(collection, draft.field, draft.meta, rows)],
    };
  };

/** Without regard to case: some databases tell columns apart by it, others do not. */
function refuseTaken(collection: TableCollection, field: string): void {
  const wanted = field.toLowerCase();
  const taken = [...collection.fields.keys(), ...collection.table.columns.map((column) => column.name)];
  if (taken.some((name) => name.toLowerCase() === wanted)) {
    throw invalidPayload(`Field "${field}" already exists in collection "${collection.name}".`);
  }
}

function columnChanges(state: StructureState, { table, name }: TableCollection, draft: FieldDraft): readonly StructureChange[] {
  const { column } = draft;
  if (column === null) return [];
  if (column.primaryKey && table.primaryKey.length > 0) throw invalidPayload(`Collection "${name}" has a primary key already.`);
  const keys = draftForeignKeys(state, table, draft).map((foreignKey) => ({ kind: 'add-foreign-key', table, foreignKey }) as const);
  return [{ kind: 'add-column', table, column }, ...keys];
}

/** The foreign key a new field asks for, if any. */
export function draftForeignKeys(state: StructureState, table: TableName, draft: FieldDraft): readonly ForeignKeySpec[] {
  if (draft.column === null || draft.foreignTable === null) return [];
  const target = findForeignTable(state, draft.foreignTable);
  return [foreignKeySpec(state.database, table, draft.column, target, draft.foreignColumn ?? target.primaryKey[0] ?? '', noActions)];
}

export function findForeignTable(state: StructureState, name: string): RawTable {
  const table = state.schema.collections.get(name)?.table;
  if (!table || table.kind === 'view') throw invalidPayload(`schema.foreign_key_table names no table: "${name}".`);
  return table;
}

/** New fields come last in their group. */
export function insertFieldRow(collection: string, field: string, meta: MetaRow, siblings: readonly MetaRow[]): InsertRow {
  const group = textOf(meta, 'group');
  const places = siblings.filter((row) => textOf(row, 'group') === group).map((row) => numberOf(row, 'sort') ?? 0);
  const row = { ...fieldMetaDefaults, sort: Math.max(0, ...places) + 1, ...meta, collection, field };
  return { kind: 'insert', collection: 'service_fields', row };
}
