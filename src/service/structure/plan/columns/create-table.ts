// The change set of a new table and its metadata rows, from drafts that were checked before.

import { refusal } from '../../../../core/errors/refusals.js';
import { invalidPayload } from '../../../../core/errors/service-error.js';
import { collectionMetaDefaults } from '../../../../core/schema/meta-defaults.js';
import type { MetaRow } from '../../../../core/schema/meta-row.js';
import type { ChangeSet, RowChange } from '../change-set.js';
import type { FieldDraft } from '../field-draft.js';
import { insertFieldRow } from '../field-rows.js';
import { tableNameOf } from '../find-structure.js';
import { draftForeignKeys } from '../foreign-key.js';
import type { StructureState } from '../structure-state.js';

export interface TableDraft {
  readonly name: string;
  /** The columns of a row in service_collections; null for no row. */
  readonly meta: MetaRow | null;
  readonly fields: readonly FieldDraft[];
  readonly primaryKey: readonly string[];
  readonly uniques: readonly (readonly string[])[];
  readonly comment: string | null;
}

export function createTable(state: StructureState, draft: TableDraft): ChangeSet {
  const table = tableNameOf(state, draft.name);
  refuseDoubles(draft.fields);
  const columns = draft.fields.flatMap((field) => field.column ?? []);
  const foreignKeys = draft.fields.flatMap((field) => draftForeignKeys(state, table, field));
  const { primaryKey, uniques, comment } = draft;
  return {
    changes: [{ kind: 'create-table', table, columns, primaryKey, foreignKeys, uniques, comment }],
    rows: [...(draft.meta === null ? [] : [insertCollectionRow(draft.name, draft.meta)]), ...fieldRows(draft)],
  };
}

function refuseDoubles(fields: readonly FieldDraft[]): void {
  const seen = new Set<string>();
  for (const { field } of fields) {
    if (seen.has(field.toLowerCase())) throw invalidPayload(refusal('field_twice', { field }));
    seen.add(field.toLowerCase());
  }
}

export const insertCollectionRow = (collection: string, meta: MetaRow): RowChange => ({
  kind: 'insert',
  collection: 'service_collections',
  row: { ...collectionMetaDefaults, ...meta, collection },
});

function fieldRows({ name, fields }: TableDraft): readonly RowChange[] {
  const rows: MetaRow[] = [];
  return fields.flatMap(({ field, meta }) => {
    if (meta === null) return [];
    const change = insertFieldRow(name, field, meta, rows);
    rows.push(change.row);
    return [change];
  });
}
