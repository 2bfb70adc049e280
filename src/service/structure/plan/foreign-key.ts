// Foreign keys: their specification with a free name, and the changes that drop them.

import { createHash } from 'node:crypto';
import { refusal } from '../../../core/errors/refusals.js';
import { invalidPayload } from '../../../core/errors/service-error.js';
import type { ForeignKeyAction, RawColumn, RawDatabase, RawForeignKey, RawTable } from '../../../core/schema/raw.js';
import type { TableName } from '../../../core/schema/table-name.js';
import type { ColumnType } from '../../../core/schema/types/field-type.js';
import { type ForeignKeySpec, findTable, type StructureChange } from '../../../core/vendor/ddl.js';
import type { FieldDraft } from './field-draft.js';
import type { StructureState } from './structure-state.js';

export interface ForeignKeyActions {
  readonly onDelete: ForeignKeyAction;
  readonly onUpdate: ForeignKeyAction;
}

export const noActions: ForeignKeyActions = { onDelete: 'NO ACTION', onUpdate: 'NO ACTION' };

const actionNames: readonly ForeignKeyAction[] = ['NO ACTION', 'RESTRICT', 'CASCADE', 'SET NULL', 'SET DEFAULT'];

export function parseAction(key: 'on_delete' | 'on_update', value: unknown): ForeignKeyAction {
  const found = actionNames.find((name) => name === value);
  if (found === undefined) throw invalidPayload(`schema.${key} must be one of ${actionNames.join(', ')}.`);
  return found;
}

type KeyColumn = Pick<RawColumn, 'name' | 'type' | 'nullable'>;

export function foreignKeySpec(
  database: RawDatabase,
  table: TableName,
  column: KeyColumn,
  target: RawTable,
  targetColumn: string,
  actions: ForeignKeyActions,
): ForeignKeySpec {
  refuseCrossing(findTable(database, table), target);
  const key = target.columns.find((candidate) => candidate.name === targetColumn);
  if (key === undefined || !(key.unique || isWholeKey(target, targetColumn))) {
    throw invalidPayload(`Nothing can point at "${targetColumn}" of "${target.name}": it is neither a primary key nor unique.`);
  }
  checkTypes(column, key);
  if (!column.nullable) refuseSetNull(column.name, actions);
  return {
    name: freeName(database, `${table.name}_${column.name}_foreign`),
    columns: [column.name],
    foreignSchema: target.schema,
    foreignTable: target.name,
    foreignColumns: [targetColumn],
    ...actions,
  };
}

function checkTypes(column: KeyColumn, key: RawColumn): void {
  if (!canPoint(column.type, key.type))
    throw invalidPayload(refusal('relation_types_differ', { field: column.name, fieldType: column.type, keyType: key.type }));
}

/** A column that keeps its foreign key can take no type that the key refuses. */
export function checkKeptKey(
  database: RawDatabase,
  column: KeyColumn,
  { foreignSchema, foreignTable, foreignColumns }: RawForeignKey,
): void {
  const key = findTable(database, { schema: foreignSchema, name: foreignTable })?.columns.find(({ name }) => name === foreignColumns[0]);
  if (key !== undefined) checkTypes(column, key);
}

/** Nothing can point from one database into another. */
export function refuseCrossing(from: RawTable | undefined, to: RawTable): void {
  if ((from?.mirrored ?? false) !== (to.mirrored ?? false))
    throw invalidPayload(`"${to.name}" is in another database (SYSTEM_DATABASE_URL): no relation can lead there.`);
}

/** The same key with other actions, under a name that is free. */
export function changedKey(database: RawDatabase, table: RawTable, present: RawForeignKey, actions: ForeignKeyActions): ForeignKeySpec {
  const fixed = table.columns.find(({ name, nullable }) => !nullable && present.columns.includes(name));
  if (fixed !== undefined) refuseSetNull(fixed.name, actions);
  return { ...present, name: freeName(database, `${table.name}_${present.columns.join('_')}_foreign`), ...actions };
}

function refuseSetNull(column: string, { onDelete, onUpdate }: ForeignKeyActions): void {
  if (onDelete === 'SET NULL' || onUpdate === 'SET NULL') throw invalidPayload(refusal('not_nullable', { field: column }));
}

const isWholeKey = (table: RawTable, column: string): boolean => table.primaryKey.length === 1 && table.primaryKey[0] === column;

const families: readonly (readonly ColumnType[])[] = [
  ['integer', 'bigInteger'],
  ['string', 'text', 'uuid', 'hash', 'csv'],
];

const canPoint = (from: ColumnType, to: ColumnType): boolean =>
  from === to || families.some((family) => family.includes(from) && family.includes(to));

const maxBytes = 63;

/** `wanted` if it is short enough and free, else a name with a digest. Some vendors require unique names in the whole database. */
export function freeName(database: RawDatabase, wanted: string): string {
  const isTaken = (name: string): boolean => database.tables.some((table) => table.foreignKeys.some((key) => key.name === name));
  if (Buffer.byteLength(wanted) <= maxBytes && !isTaken(wanted)) return wanted;
  const base = wanted.replace(/[^\w]/g, '_').slice(0, maxBytes - 13);
  for (let count = 0; ; count += 1) {
    const digest = createHash('sha256').update(`${wanted} ${count}`).digest('hex').slice(0, 12);
    if (!isTaken(`${base}_${digest}`)) return `${base}_${digest}`;
  }
}

export const dropForeignKey = (table: TableName, foreignKey: RawForeignKey): StructureChange => ({
  kind: 'drop-foreign-key',
  table,
  foreignKey,
});

/** Drops the foreign keys that point to a table, or to one of its columns. */
export function dropKeysPointingAt(database: RawDatabase, target: TableName, column: string | null): readonly StructureChange[] {
  const points = (key: RawForeignKey): boolean =>
    key.foreignTable === target.name && key.foreignSchema === target.schema && (column === null || key.foreignColumns.includes(column));
  const isTarget = (table: RawTable): boolean => table.name === target.name && table.schema === target.schema;
  return database.tables
    .filter((table) => column !== null || !isTarget(table))
    .flatMap((table) => table.foreignKeys.filter(points).map((key) => dropForeignKey(table, key)));
}

/** The foreign key that the draft requests: a list of one or none. */
export function draftForeignKeys(state: StructureState, table: TableName, draft: FieldDraft): readonly ForeignKeySpec[] {
  if (draft.column === null || draft.foreignTable === null) return [];
  const target = findForeignTable(state, draft.foreignTable);
  return [foreignKeySpec(state.database, table, draft.column, target, draft.foreignColumn ?? target.primaryKey[0] ?? '', noActions)];
}

export function findForeignTable(state: StructureState, name: string): RawTable {
  const table = state.schema.collections.get(name)?.table;
  if (!table || table.kind === 'view') throw invalidPayload(`schema.foreign_key_table names no table: "${name}".`);
  return table;
}
