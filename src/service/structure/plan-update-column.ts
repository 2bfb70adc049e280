// A field with a column that changes: its type, its options, its foreign key, and the flags by which its type is remembered.

import { invalidPayload } from '../../core/errors/service-error.js';
import { type ColumnType, columnTypes } from '../../core/schema/field-type.js';
import type { MetaRow } from '../../core/schema/meta-row.js';
import type { ColumnField } from '../../core/schema/schema.js';
import { isTypeFlag } from '../../core/schema/specials.js';
import type { ColumnSpec, StructureChange } from '../../core/vendor/ddl.js';
import { type ColumnOptions, parseColumnOptions } from './column-options.js';
import { changedSpec, presentSpec } from './column-spec.js';
import { describeColumn } from './describe-field.js';
import { joinFlags, specialFor } from './field-draft.js';
import { splitFlags } from './field-meta.js';
import { parseMetaChange, writeFieldMeta } from './field-meta-change.js';
import type { TableCollection } from './find-structure.js';
import { dropForeignKey, foreignKeySpec, noActions } from './foreign-key.js';
import { asOptionalObject, isSame, type Payload } from './payload.js';
import { findForeignTable } from './plan-create-field.js';
import type { StructureState } from './structure-state.js';
import type { Unit } from './unit.js';

export function planUpdateColumn(state: StructureState, collection: TableCollection, field: ColumnField, payload: Payload): Unit {
  const type = parseType(field, payload.type);
  const options = parseColumnOptions(asOptionalObject(payload.schema, '"schema"') ?? {}, describeColumn(collection, field));
  const spec = changedSpec(field.column, type, options);
  if (spec.primaryKey && !field.column.primaryKey && collection.table.primaryKey.length > 0) {
    throw invalidPayload(`Collection "${collection.name}" has a primary key already.`);
  }
  const meta = { ...changedFlags(state, field, spec, type, parseMetaChange(field, payload)), ...changedComment(state, options) };
  const sent = payload.meta !== undefined && payload.meta !== null;
  const rows = sent || Object.keys(meta).length > 0 ? writeFieldMeta(state, field, meta) : [];
  return { changes: [...columnChange(state, collection, field, spec), ...foreignKeyChange(state, collection, spec, options)], rows };
}

/** null: the type stays. */
function parseType(field: ColumnField, type: unknown): ColumnType | null {
  if (type === undefined || type === field.type) return null;
  const wanted = columnTypes.find((candidate) => candidate === type && candidate !== 'unknown');
  if (wanted === undefined) throw invalidPayload(`Field "${field.name}" has a column and cannot become of type "${String(type)}".`);
  return wanted;
}

/** A comment alone is no change of a column where the database keeps none. */
function columnChange(
  state: StructureState,
  collection: TableCollection,
  field: ColumnField,
  spec: ColumnSpec,
): readonly StructureChange[] {
  const comment = state.rules.dialect.ddl.keepsComments ? {} : { comment: null };
  const isUnchanged = isSame({ ...presentSpec(field.column), ...comment }, { ...spec, ...comment });
  return isUnchanged ? [] : [{ kind: 'alter-column', table: collection.table, column: spec }];
}

/** The type's own flags go with the old type and come with the new one; flags sent without a type are the client's choice. */
function changedFlags(state: StructureState, field: ColumnField, spec: ColumnSpec, type: ColumnType | null, meta: MetaRow | null): MetaRow {
  const sent = meta !== null && Object.hasOwn(meta, 'special');
  if (type === null && !sent) return meta ?? {};
  const flags = sent ? splitFlags(meta.special) : [...field.special].filter((flag) => !isTypeFlag(flag));
  const wanted = type ?? (flags.some(isTypeFlag) ? null : field.type);
  const { ddl } = state.rules.dialect;
  const special = wanted === null || wanted === 'alias' ? flags : specialFor(spec, wanted, flags, ddl);
  const same = joinFlags(special) === joinFlags([...field.special]);
  return { ...meta, ...(same && !sent ? {} : { special: joinFlags(special) }) };
}

const changedComment = (state: StructureState, { comment }: ColumnOptions): MetaRow =>
  comment === undefined || state.rules.dialect.ddl.keepsComments ? {} : { column_comment: comment };

function foreignKeyChange(
  state: StructureState,
  { table }: TableCollection,
  spec: ColumnSpec,
  options: ColumnOptions,
): readonly StructureChange[] {
  const { foreignTable, foreignColumn } = options;
  if (foreignTable === undefined && foreignColumn === undefined) return [];
  const present = table.foreignKeys.find((key) => key.columns.length === 1 && key.columns[0] === spec.name);
  const drop = present === undefined ? [] : [dropForeignKey(table, present)];
  const name = foreignTable === undefined ? present?.foreignTable : foreignTable;
  if (name === undefined || name === null) return drop;
  const target = findForeignTable(state, name);
  const column = foreignColumn ?? target.primaryKey[0] ?? '';
  const actions = present === undefined ? noActions : { onDelete: present.onDelete, onUpdate: present.onUpdate };
  const foreignKey = foreignKeySpec(state.database, table, spec, target, column, actions);
  return [...drop, { kind: 'add-foreign-key', table, foreignKey }];
}
