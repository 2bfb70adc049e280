// PATCH /fields/{collection}/{field}: the column, the metadata, or both. What is not sent stays; the name never changes.

import { invalidPayload } from '../../core/errors/service-error.js';
import type { Field } from '../../core/schema/schema.js';
import { parseColumnOptions } from './column-options.js';
import { changedSpec } from './column-spec.js';
import { describeField } from './describe-field.js';
import { parseMetaChange, writeFieldMeta } from './field-meta-change.js';
import { findCollection, findField, findTableCollection, isOwnField, type TableCollection } from './find-structure.js';
import { asObject, asOptionalObject, isSame, type Payload, refuseUnknown } from './payload.js';
import { pinRelation } from './pin-relation.js';
import { planUpdateColumn } from './plan-update-column.js';
import type { StructureState } from './structure-state.js';
import { emptyUnit, type Plan, type Unit } from './unit.js';

export const planUpdateField =
  (collection: string, name: string, value: unknown): Plan =>
  (state) => {
    const field = findField(findCollection(state.schema, collection), name);
    const payload = asObject(value, 'A field');
    refuseUnknown(payload, ['collection', 'field', 'type', 'schema', 'meta'], 'a field');
    if (payload.field !== undefined && payload.field !== name) throw invalidPayload('A field cannot be renamed.');
    if (payload.collection !== undefined && payload.collection !== collection) throw invalidPayload('A field cannot be moved.');
    const found = findTableCollection(state.schema, collection);
    if (isOwnField(state.rules.definitions, collection, name)) return planOwnField(found, field, payload);
    return field.kind === 'column' ? planUpdateColumn(state, found, field, payload) : planAlias(state, field, payload);
  };

/** Of the service's own fields nothing changes but whether they are indexed. */
function planOwnField(collection: TableCollection, field: Field, payload: Payload): Unit {
  const present = describeField(collection, field);
  const meta = asOptionalObject(payload.meta, '"meta"') ?? {};
  const { indexed, ...others } = parseColumnOptions(asOptionalObject(payload.schema, '"schema"') ?? {}, present.schema ?? {});
  const sameMeta = Object.entries(meta).every(([key, value]) => isSame(value, present.meta?.[key]));
  const sameType = payload.type === undefined || payload.type === field.type;
  if (!sameMeta || !sameType || Object.keys(others).length > 0 || (indexed !== undefined && field.kind !== 'column')) {
    throw invalidPayload(
      `Field "${field.name}" in collection "${collection.name}" belongs to the service: only schema.is_indexed can be changed.`,
    );
  }
  if (field.kind !== 'column' || indexed === undefined) return emptyUnit;
  const column = changedSpec(field.column, null, { indexed });
  return { changes: [{ kind: 'alter-column', table: collection.table, column }], rows: [] };
}

/** An alias that only a foreign key spoke of is written down, or its name would be taken by its own metadata. */
function planAlias(state: StructureState, field: Exclude<Field, { kind: 'column' }>, payload: Payload): Unit {
  if (payload.type !== undefined && payload.type !== field.type) throw invalidPayload('An alias has no column and stays an alias.');
  const schema = asOptionalObject(payload.schema, '"schema"');
  if (schema !== null && Object.keys(schema).length > 0)
    throw invalidPayload(`The alias field "${field.name}" takes no schema: it has no column.`);
  const meta = parseMetaChange(field, payload);
  if (meta === null) return emptyUnit;
  const special = field.meta === null ? { special: [...field.special].join(',') || null } : {};
  const pin = field.kind === 'relation' ? pinRelation(state, field.relation, field.name) : [];
  return { changes: [], rows: [...pin, ...writeFieldMeta(state, field, { ...special, ...meta })] };
}
