// POST /collections: a table with its columns and metadata rows, or a folder, which is a metadata row only.

import { invalidPayload } from '../../../core/errors/service-error.js';
import type { MetaRow } from '../../../core/schema/meta-row.js';
import { collectionName, type TableName } from '../../../core/schema/table-name.js';
import { parseCollectionMeta } from '../describe/collection-meta.js';
import { asArray, asObject, asOptionalObject, asText, type Payload, refuseUnknown, withoutSame } from '../describe/payload.js';
import type { ChangeSet, Planner } from './change-set.js';
import { checkCollectionName } from './columns/check-sql-text.js';
import { newColumnSpec } from './columns/column-spec.js';
import { createTable, insertCollectionRow } from './columns/create-table.js';
import { type FieldDraft, parseFieldDraft } from './field-draft.js';
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
  if (taken.some((other) => other.toLowerCase() === name.toLowerCase())) throw invalidPayload(`Collection "${name}" already exists.`);
  return name;
}

function planFolder(name: string, row: MetaRow | null, fields: readonly unknown[]): ChangeSet {
  if (fields.length > 0) throw invalidPayload(`"${name}" is a folder (schema null) and has no fields.`);
  return { changes: [], rows: [insertCollectionRow(name, row ?? {})] };
}

function planTable(state: StructureState, name: string, meta: MetaRow | null, payload: Payload, values: readonly unknown[]): ChangeSet {
  const table = tableNameOf(state, name);
  const comment = readComment(asOptionalObject(payload.schema, '"schema"') ?? {}, table);
  const fields = withKey(values.map((value) => parseFieldDraft(value, name, table.name, state.ddl)));
  const primaryKey = fields.flatMap(({ field, column }) => (column?.primaryKey === true ? field : []));
  return createTable(state, { name, meta, fields, primaryKey, uniques: [], comment });
}

function readComment(schema: Payload, table: TableName): string | null {
  refuseUnknown(schema, ['name', 'schema', 'comment'], 'schema');
  const { comment = null, ...rest } = withoutSame(schema, { ...table });
  const [other] = Object.keys(rest);
  if (other !== undefined) throw invalidPayload(`schema.${other} is not that of the collection.`);
  if (comment === null || (typeof comment === 'string' && !/[\0\p{Cs}]/u.test(comment))) return comment;
  throw invalidPayload('schema.comment must be text or null.');
}

/** Items of a table without a primary key cannot be written, so an auto-increment `id` is put first. */
function withKey(drafts: readonly FieldDraft[]): readonly FieldDraft[] {
  if (drafts.some((draft) => draft.column?.primaryKey === true)) return drafts;
  const column = newColumnSpec('id', 'integer', { primaryKey: true, autoIncrement: true });
  return [{ field: 'id', column, foreignTable: null, foreignColumn: null, meta: null }, ...drafts];
}
