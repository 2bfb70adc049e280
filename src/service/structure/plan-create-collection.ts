// POST /collections: a table with its fields and their metadata, or a folder, which is metadata alone.

import { invalidPayload } from '../../core/errors/service-error.js';
import { collectionName } from '../../core/schema/collection-name.js';
import type { MetaRow } from '../../core/schema/meta-row.js';
import type { TableName } from '../../core/schema/table-name.js';
import { checkCollectionName } from './check-name.js';
import { parseCollectionMeta } from './collection-meta.js';
import { newColumnSpec } from './column-spec.js';
import { createTable, insertCollectionRow } from './create-table.js';
import { type FieldDraft, parseFieldDraft } from './field-draft.js';
import { tableNameOf } from './find-structure.js';
import { asArray, asObject, asOptionalObject, asText, type Payload, refuseUnknown, withoutSame } from './payload.js';
import type { StructureState } from './structure-state.js';
import type { Plan, Unit } from './unit.js';

export const planCreateCollection =
  (value: unknown): Plan =>
  (state) => {
    const payload = asObject(value, 'A collection');
    refuseUnknown(payload, ['collection', 'meta', 'schema', 'fields'], 'a collection');
    const name = newCollectionName(state, asText(payload.collection, '"collection"'));
    const meta = asOptionalObject(payload.meta, '"meta"');
    const row = meta === null ? null : parseCollectionMeta(meta, { collection: name });
    const fields = payload.fields === undefined || payload.fields === null ? [] : asArray(payload.fields, '"fields"');
    return payload.schema === null ? planFolder(name, row, fields) : planTable(state, name, row, payload, fields);
  };

/** Without regard to case: some databases tell tables apart by it, others do not. */
export function newCollectionName(state: StructureState, name: string): string {
  checkCollectionName(name, state.rules.dialect.ddl.hasSchemas);
  const taken = [...state.schema.collections.keys(), ...state.database.tables.map(collectionName)];
  if (taken.some((other) => other.toLowerCase() === name.toLowerCase())) throw invalidPayload(`Collection "${name}" already exists.`);
  return name;
}

function planFolder(name: string, row: MetaRow | null, fields: readonly unknown[]): Unit {
  if (fields.length > 0) throw invalidPayload(`"${name}" is a folder (schema null) and has no fields.`);
  return { changes: [], rows: [insertCollectionRow(name, row ?? {})] };
}

function planTable(state: StructureState, name: string, meta: MetaRow | null, payload: Payload, values: readonly unknown[]): Unit {
  const table = tableNameOf(state.rules, name);
  const comment = readComment(asOptionalObject(payload.schema, '"schema"') ?? {}, table);
  const fields = withKey(values.map((value) => parseFieldDraft(value, name, table.name, state.rules.dialect.ddl)));
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

/** Without a key nothing could be written: an `id` that counts is put first. */
function withKey(drafts: readonly FieldDraft[]): readonly FieldDraft[] {
  if (drafts.some((draft) => draft.column?.primaryKey === true)) return drafts;
  const column = newColumnSpec('id', 'integer', { primaryKey: true, autoIncrement: true });
  return [{ field: 'id', column, foreignTable: null, foreignColumn: null, meta: null }, ...drafts];
}
