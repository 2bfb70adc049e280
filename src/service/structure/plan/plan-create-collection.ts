// POST /collections: a table with its columns and metadata rows, or a folder, which is a metadata row only.

import { refusal } from '../../../core/errors/refusals.js';
import { invalidPayload } from '../../../core/errors/service-error.js';
import type { MetaRow } from '../../../core/schema/meta-row.js';
import { collectionName } from '../../../core/schema/table-name.js';
import { parseCollectionMeta } from '../describe/collection-meta.js';
import { askedOfTable } from '../describe/described.js';
import { asArray, asObject, asOptionalObject, asText, type Payload, refuseUnknown } from '../describe/payload.js';
import type { ChangeSet, Planner } from './change-set.js';
import { checkCollectionName } from './columns/check-sql-text.js';
import { newColumnSpec } from './columns/column-spec.js';
import { createTable, insertCollectionRow } from './columns/create-table.js';
import { type FieldDraft, keyOfDrafts, parseFieldDraft } from './field-draft.js';
import { tableNameOf } from './find-structure.js';
import type { StructureState } from './structure-state.js';

export const planCreateCollection =
  (value: unknown): Planner =>
  (state) => {
    const payload = asObject(value, 'A collection');
    refuseUnknown(payload, ['collection', 'meta', 'schema', 'fields'], 'a collection');
    const name = newCollectionName(state, asText(payload.collection, '"collection"'));
    const meta = asOptionalObject(payload.meta, '"meta"');
    const row = meta === null ? null : parseCollectionMeta(meta, { collection: name });
    const fields = payload.fields === undefined || payload.fields === null ? [] : asArray(payload.fields, '"fields"');
    return payload.schema === null ? planFolder(name, row, fields) : planTable(state, name, row, payload, fields);
  };

/** Compares without case, because vendors differ in whether the names of tables are case-sensitive. */
export function newCollectionName(state: StructureState, name: string): string {
  checkCollectionName(name, state.ddl.hasSchemas);
  const taken = [...state.schema.collections.keys(), ...state.database.tables.map(collectionName)];
  if (taken.some((other) => other.toLowerCase() === name.toLowerCase()))
    throw invalidPayload(refusal('collection_exists', { collection: name }));
  return name;
}

function planFolder(name: string, row: MetaRow | null, fields: readonly unknown[]): ChangeSet {
  if (fields.length > 0) throw invalidPayload(`"${name}" is a folder (schema null) and has no fields.`);
  return { changes: [], rows: [insertCollectionRow(name, row ?? {})] };
}

function planTable(state: StructureState, name: string, meta: MetaRow | null, payload: Payload, values: readonly unknown[]): ChangeSet {
  const table = tableNameOf(state, name);
  const comment = readComment(asOptionalObject(payload.schema, '"schema"') ?? {});
  const fields = withKey(values.map((value) => parseFieldDraft(value, name, table.name, state.ddl)));
  return createTable(state, { name, meta, fields, primaryKey: keyOfDrafts(fields), uniques: [], comment });
}

/** The name of the collection alone says which table is made. */
function readComment(schema: Payload): string | null {
  const asked = askedOfTable(schema);
  refuseUnknown(asked, ['comment'], 'schema');
  const { comment = null } = asked;
  if (comment === null || (typeof comment === 'string' && !/[\0\p{Cs}]/u.test(comment))) return comment;
  throw invalidPayload('schema.comment must be text or null.');
}

/** Items of a table without a primary key cannot be written, so an auto-increment `id` is put first. */
function withKey(drafts: readonly FieldDraft[]): readonly FieldDraft[] {
  if (drafts.some((draft) => draft.column?.primaryKey === true)) return drafts;
  const column = newColumnSpec('id', 'integer', { primaryKey: true, autoIncrement: true });
  return [{ field: 'id', column, foreignTable: null, foreignColumn: null, keyPosition: null, meta: null }, ...drafts];
}
