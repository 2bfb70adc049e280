// PATCH /fields/{collection}/{field}: changes the column, the metadata row, or both. Keys that are not sent keep their values; a field
// cannot be renamed.

import { invalidPayload } from '../../../core/errors/service-error.js';
import type { Field } from '../../../core/schema/schema.js';
import { describeField } from '../describe/describe-field.js';
import { askedOfColumn, askedOfMeta } from '../describe/described.js';
import { splitFlags } from '../describe/field-meta.js';
import { onWire } from '../describe/on-wire.js';
import { asObject, asOptionalObject, isSame, type Payload, refuseUnknown } from '../describe/payload.js';
import { type ChangeSet, emptyChangeSet, type Planner } from './change-set.js';
import { parseColumnOptions } from './columns/column-options.js';
import { changedSpec } from './columns/column-spec.js';
import { planUpdateColumn } from './columns/plan-update-column.js';
import { parseMetaChange, writeFieldMeta } from './field-rows.js';
import { findCollection, findField, findTableCollection, isServiceField, type TableCollection } from './find-structure.js';
import { pinRelation } from './relation-meta.js';
import type { StructureState } from './structure-state.js';

export const planUpdateField =
  (collection: string, name: string, value: unknown): Planner =>
  (state) => {
    const field = findField(findCollection(state.schema, collection), name);
    const payload = asObject(value, 'A field');
    refuseUnknown(payload, ['collection', 'field', 'type', 'schema', 'meta'], 'a field');
    if (payload.field !== undefined && payload.field !== name) throw invalidPayload('A field cannot be renamed.');
    if (payload.collection !== undefined && payload.collection !== collection) throw invalidPayload('A field cannot be moved.');
    const found = findTableCollection(state, collection);
    if (isServiceField(state.system.definitions, collection, name)) return planServiceField(state, found, field, payload);
    return field.kind === 'column' ? planUpdateColumn(state, found, field, payload) : planAlias(state, field, payload);
  };

/** Flags may be a list or one text. */
const inOneForm = (key: string, value: unknown): unknown => (key === 'special' ? splitFlags(value) : value);

/** Fields that a system definition declares accept one change: whether they are indexed. */
function planServiceField(state: StructureState, collection: TableCollection, field: Field, payload: Payload): ChangeSet {
  const present = onWire(describeField(collection, field), state.schema);
  const meta = asOptionalObject(payload.meta, '"meta"') ?? {};
  const asked = askedOfColumn(asOptionalObject(payload.schema, '"schema"') ?? {}, field.type);
  const { indexed, ...others } = parseColumnOptions(asked, present.schema ?? {});
  const sameMeta = Object.entries(askedOfMeta(meta)).every(([key, value]) =>
    isSame(inOneForm(key, value), inOneForm(key, present.meta?.[key])),
  );
  const sameType = payload.type === undefined || payload.type === field.type;
  if (!sameMeta || !sameType || Object.keys(others).length > 0 || (indexed !== undefined && field.kind !== 'column')) {
    throw invalidPayload(
      `Field "${field.name}" in collection "${collection.name}" belongs to the service: only schema.is_indexed can be changed.`,
    );
  }
  if (field.kind !== 'column' || indexed === undefined) return emptyChangeSet;
  const column = changedSpec(field.column, null, { indexed });
  return { changes: [{ kind: 'alter-column', table: collection.table, column }], rows: [] };
}

/**
 * An alias may exist only because a foreign key implies it. Before it gets a metadata row, its relation gets one too: otherwise the new row
 * would take the name and the implied alias would get another.
 */
function planAlias(state: StructureState, field: Exclude<Field, { kind: 'column' }>, payload: Payload): ChangeSet {
  if (payload.type !== undefined && payload.type !== field.type) throw invalidPayload('An alias has no column and stays an alias.');
  const schema = asOptionalObject(payload.schema, '"schema"');
  if (schema !== null && Object.keys(schema).length > 0)
    throw invalidPayload(`The alias field "${field.name}" takes no schema: it has no column.`);
  const meta = parseMetaChange(field, payload);
  if (meta === null) return emptyChangeSet;
  const special = field.meta === null ? { special: [...field.special].join(',') || null } : {};
  const pin = field.kind === 'relation' ? pinRelation(state, field.relation, field.name) : [];
  return { changes: [], rows: [...pin, ...writeFieldMeta(state, field, { ...special, ...meta })] };
}
