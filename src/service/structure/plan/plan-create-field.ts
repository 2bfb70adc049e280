// POST /fields/{collection}: a column with its metadata row, or an alias, which is a metadata row only.

import { refusal } from '../../../core/errors/refusals.js';
import { invalidPayload } from '../../../core/errors/service-error.js';
import type { StructureChange } from '../../../core/vendor/ddl.js';
import type { Planner } from './change-set.js';
import { type FieldDraft, parseFieldDraft } from './field-draft.js';
import { insertFieldRow } from './field-rows.js';
import { findTableCollection, type TableCollection } from './find-structure.js';
import { draftForeignKeys } from './foreign-key.js';
import type { StructureState } from './structure-state.js';

export const planCreateField =
  (collection: string, payload: unknown): Planner =>
  (state) => {
    const found = findTableCollection(state, collection);
    const draft = parseFieldDraft(payload, collection, found.table.name, state.ddl);
    refuseTaken(found, draft.field);
    const rows = state.metadata.fields.filter((row) => row.collection === collection);
    return {
      changes: columnChanges(state, found, draft),
      rows: draft.meta === null ? [] : [insertFieldRow(collection, draft.field, draft.meta, rows)],
    };
  };

/** Compares without case, because vendors differ in whether the names of columns are case-sensitive. */
function refuseTaken(collection: TableCollection, field: string): void {
  const wanted = field.toLowerCase();
  const taken = [...collection.fields.keys(), ...collection.table.columns.map((column) => column.name)];
  if (taken.some((name) => name.toLowerCase() === wanted)) {
    throw invalidPayload(refusal('field_exists', { collection: collection.name, field }));
  }
}

function columnChanges(state: StructureState, { table, name }: TableCollection, draft: FieldDraft): readonly StructureChange[] {
  const { column } = draft;
  if (column === null) return [];
  if (column.primaryKey && table.primaryKey.length > 0) throw invalidPayload(refusal('has_primary_key', { collection: name }));
  const keys = draftForeignKeys(state, table, draft).map((foreignKey) => ({ kind: 'add-foreign-key', table, foreignKey }) as const);
  return [{ kind: 'add-column', table, column }, ...keys];
}
