// Changes of rows in service_fields. A field of an existing database has no row; the first change of its metadata inserts one.

import { fieldMetaDefaults } from '../../../core/schema/meta-defaults.js';
import { type MetaRow, numberOf, textOf } from '../../../core/schema/meta-row.js';
import type { Field } from '../../../core/schema/schema.js';
import { describeFieldMeta, parseFieldMeta } from '../describe/field-meta.js';
import { asOptionalObject, type Payload } from '../describe/payload.js';
import type { InsertRow, RowChange } from './change-set.js';
import type { StructureState } from './structure-state.js';

/** The changed metadata columns; null if the payload has no metadata. */
export function parseMetaChange(field: Field, payload: Payload): MetaRow | null {
  const meta = asOptionalObject(payload.meta, '"meta"');
  if (meta === null) return null;
  const none = { id: null, collection: field.collection, field: field.name };
  return parseFieldMeta(meta, field.meta === null ? none : describeFieldMeta(field.meta));
}

/** Inserts the field's row or updates it. */
export function writeFieldMeta(state: StructureState, field: Field, meta: MetaRow): readonly RowChange[] {
  const where = { collection: field.collection, field: field.name };
  if (field.meta === null) {
    const siblings = state.metadata.fields.filter((row) => row.collection === field.collection);
    return [insertFieldRow(field.collection, field.name, meta, siblings)];
  }
  return Object.keys(meta).length === 0 ? [] : [{ kind: 'update', collection: 'service_fields', set: meta, where }];
}

/** The row of a new field, sorted last in its group. */
export function insertFieldRow(collection: string, field: string, meta: MetaRow, siblings: readonly MetaRow[]): InsertRow {
  const group = textOf(meta, 'group');
  const places = siblings.filter((row) => textOf(row, 'group') === group).map((row) => numberOf(row, 'sort') ?? 0);
  const row = { ...fieldMetaDefaults, sort: Math.max(0, ...places) + 1, ...meta, collection, field };
  return { kind: 'insert', collection: 'service_fields', row };
}
