// What a payload changes in a field's metadata row, and the row written: the first change of a field without one makes it.

import type { MetaRow } from '../../core/schema/meta-row.js';
import type { Field } from '../../core/schema/schema.js';
import { describeFieldMeta, parseFieldMeta } from './field-meta.js';
import { asOptionalObject, type Payload } from './payload.js';
import { insertFieldRow } from './plan-create-field.js';
import type { StructureState } from './structure-state.js';
import type { RowChange } from './unit.js';

/** null: no metadata was sent. */
export function parseMetaChange(field: Field, payload: Payload): MetaRow | null {
  const meta = asOptionalObject(payload.meta, '"meta"');
  if (meta === null) return null;
  const none = { id: null, collection: field.collection, field: field.name };
  return parseFieldMeta(meta, field.meta === null ? none : describeFieldMeta(field.meta));
}

export function writeFieldMeta(state: StructureState, field: Field, meta: MetaRow): readonly RowChange[] {
  const where = { collection: field.collection, field: field.name };
  if (field.meta === null) {
    const siblings = state.metadata.fields.filter((row) => row.collection === field.collection);
    return [insertFieldRow(field.collection, field.name, meta, siblings)];
  }
  return Object.keys(meta).length === 0 ? [] : [{ kind: 'update', collection: 'service_fields', set: meta, where }];
}
