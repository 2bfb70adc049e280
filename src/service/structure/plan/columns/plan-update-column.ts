// PATCH of a field with a column: its type, its options, its foreign key, and the flags in `special` that record a type which the database
// does not have.

import { refusal } from '../../../../core/errors/refusals.js';
import { invalidPayload } from '../../../../core/errors/service-error.js';
import type { MetaRow } from '../../../../core/schema/meta-row.js';
import type { ColumnField } from '../../../../core/schema/schema.js';
import { isTypeFlag } from '../../../../core/schema/specials.js';
import { type ColumnType, columnTypes } from '../../../../core/schema/types/field-type.js';
import type { ColumnSpec, StructureChange } from '../../../../core/vendor/ddl.js';
import { describeColumn } from '../../describe/describe-field.js';
import { askedOfColumn } from '../../describe/described.js';
import { splitFlags } from '../../describe/field-meta.js';
import { onWire } from '../../describe/on-wire.js';
import { asOptionalObject, isSame, type Payload } from '../../describe/payload.js';
import type { ChangeSet, RowChange } from '../change-set.js';
import { joinFlags, specialFor } from '../field-draft.js';
import { parseMetaChange, writeFieldMeta } from '../field-rows.js';
import type { TableCollection } from '../find-structure.js';
import { checkKeptKey, dropForeignKey, findForeignTable, foreignKeySpec, noActions } from '../foreign-key.js';
import type { StructureState } from '../structure-state.js';
import { type ColumnOptions, parseColumnOptions } from './column-options.js';
import { changedSpec, presentSpec } from './column-spec.js';

export function planUpdateColumn(state: StructureState, collection: TableCollection, field: ColumnField, payload: Payload): ChangeSet {
  const type = parseType(field, payload.type);
  const asked = askedOfColumn(asOptionalObject(payload.schema, '"schema"') ?? {}, type ?? field.type);
  const options = parseColumnOptions(asked, presentColumn(state, collection, field));
  const spec = changedSpec(field.column, type, options);
  if (spec.primaryKey && !field.column.primaryKey && collection.table.primaryKey.length > 0) {
    throw invalidPayload(refusal('has_primary_key', { collection: collection.name }));
  }
  const meta = { ...changedFlags(state, field, spec, type, parseMetaChange(field, payload)), ...changedComment(state, options) };
  const sent = payload.meta !== undefined && payload.meta !== null;
  const rows = [
    ...(sent || Object.keys(meta).length > 0 ? writeFieldMeta(state, field, meta) : []),
    ...(becomesSecret(field, meta) ? concealInHistory(field) : []),
  ];
  return { changes: [...columnChange(state, collection, field, spec), ...foreignKeyChange(state, collection, spec, options)], rows };
}

/** As answers have it: the tables of the service bear the names that the wire has for them. */
const presentColumn = ({ schema }: StructureState, collection: TableCollection, field: ColumnField): Payload =>
  onWire({ schema: describeColumn(collection, field), meta: null }, schema).schema ?? {};

/** null if the type does not change. */
function parseType(field: ColumnField, type: unknown): ColumnType | null {
  if (type === undefined || type === field.type) return null;
  const wanted = columnTypes.find((candidate) => candidate === type && candidate !== 'unknown');
  if (wanted === undefined) throw invalidPayload(`Field "${field.name}" has a column and cannot become of type "${String(type)}".`);
  return wanted;
}

const secretFlags: readonly string[] = ['conceal', 'hash'];

const becomesSecret = ({ special }: ColumnField, meta: MetaRow): boolean =>
  splitFlags(meta.special ?? null).some((flag) => secretFlags.includes(flag)) && !secretFlags.some((flag) => special.has(flag));

/** Conceals the values that history recorded while the field was not secret. Versions may not contain secrets, so they lose the change. */
function concealInHistory({ collection, name: key }: ColumnField): readonly RowChange[] {
  const shared = { kind: 'conceal', key, where: { collection } } as const;
  return [
    { ...shared, collection: 'service_revisions', documents: ['data', 'delta', 'previous'], instead: '**********' },
    { ...shared, collection: 'service_versions', documents: ['delta', 'authors', 'base'], instead: null },
  ];
}

/** A comment alone changes no column on a vendor without column comments; it is stored in the metadata row. */
function columnChange(
  state: StructureState,
  collection: TableCollection,
  field: ColumnField,
  spec: ColumnSpec,
): readonly StructureChange[] {
  const comment = state.ddl.keepsComments ? {} : { comment: null };
  const isUnchanged = isSame({ ...presentSpec(field.column), ...comment }, { ...spec, ...comment });
  return isUnchanged ? [] : [{ kind: 'alter-column', table: collection.table, column: spec }];
}

/** A new type replaces the flags of the old type. Flags that come without a type are taken as the client sent them. */
function changedFlags(state: StructureState, field: ColumnField, spec: ColumnSpec, type: ColumnType | null, meta: MetaRow | null): MetaRow {
  const sent = meta !== null && Object.hasOwn(meta, 'special');
  if (type === null && !sent) return meta ?? {};
  const flags = sent ? splitFlags(meta.special) : [...field.special].filter((flag) => !isTypeFlag(flag));
  const wanted = type ?? (flags.some(isTypeFlag) ? null : field.type);
  const { ddl } = state;
  const special = wanted === null || wanted === 'alias' ? flags : specialFor(spec, wanted, flags, ddl);
  const same = joinFlags(special) === joinFlags([...field.special]);
  return { ...meta, ...(same && !sent ? {} : { special: joinFlags(special) }) };
}

const changedComment = (state: StructureState, { comment }: ColumnOptions): MetaRow =>
  comment === undefined || state.ddl.keepsComments ? {} : { column_comment: comment };

function foreignKeyChange(
  state: StructureState,
  { table }: TableCollection,
  spec: ColumnSpec,
  options: ColumnOptions,
): readonly StructureChange[] {
  const { foreignTable, foreignColumn } = options;
  const present = table.foreignKeys.find((key) => key.columns.length === 1 && key.columns[0] === spec.name);
  if (foreignTable === undefined && foreignColumn === undefined) {
    const isConverted = table.columns.some(({ name, type }) => name === spec.name && type !== spec.type);
    if (present !== undefined && isConverted) checkKeptKey(state.database, spec, present);
    return [];
  }
  const drop = present === undefined ? [] : [dropForeignKey(table, present)];
  const name = foreignTable === undefined ? present?.foreignTable : foreignTable;
  if (name === undefined || name === null) return drop;
  const target = findForeignTable(state, name);
  const column = foreignColumn ?? target.primaryKey[0] ?? '';
  const actions = present === undefined ? noActions : { onDelete: present.onDelete, onUpdate: present.onUpdate };
  const foreignKey = foreignKeySpec(state.database, table, spec, target, column, actions);
  return [...drop, { kind: 'add-foreign-key', table, foreignKey }];
}
