// Foreign keys of relations: their specification, and dropping them whatever they are called.

import { createHash } from 'node:crypto';
import { invalidPayload } from '../../core/errors/service-error.js';
import type { ColumnType } from '../../core/schema/field-type.js';
import type { ForeignKeyAction, RawColumn, RawDatabase, RawForeignKey, RawTable } from '../../core/schema/raw.js';
import type { TableName } from '../../core/schema/table-name.js';
import type { ForeignKeySpec, StructureChange } from '../../core/vendor/ddl.js';

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
  const key = target.columns.find((candidate) => candidate.name === targetColumn);
  if (key === undefined || !(key.unique || isWholeKey(target, targetColumn))) {
    throw invalidPayload(`Nothing can point at "${targetColumn}" of "${target.name}": it is neither a primary key nor unique.`);
  }
  if (!canPoint(column.type, key.type)) {
    throw invalidPayload(`Field "${column.name}" of type "${column.type}" cannot point at a key of type "${key.type}".`);
  }
  if (!column.nullable && (actions.onDelete === 'SET NULL' || actions.onUpdate === 'SET NULL')) {
    throw invalidPayload(`Field "${column.name}" cannot be set to null: it is not nullable.`);
  }
  return {
    name: freeName(database, `${table.name}_${column.name}_foreign`),
    columns: [column.name],
    foreignSchema: target.schema,
    foreignTable: target.name,
    foreignColumns: [targetColumn],
    ...actions,
  };
}

const isWholeKey = (table: RawTable, column: string): boolean => table.primaryKey.length === 1 && table.primaryKey[0] === column;

const families: readonly (readonly ColumnType[])[] = [
  ['integer', 'bigInteger'],
  ['string', 'text', 'uuid', 'hash', 'csv'],
];

const canPoint = (from: ColumnType, to: ColumnType): boolean =>
  from === to || families.some((family) => family.includes(from) && family.includes(to));

const maxBytes = 63;

/** Some vendors keep one list of such names for the whole database. */
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

/** The foreign keys of other tables that point at a table, or at one of its columns. */
export function dropKeysPointingAt(database: RawDatabase, target: TableName, column: string | null): readonly StructureChange[] {
  const points = (key: RawForeignKey): boolean =>
    key.foreignTable === target.name && key.foreignSchema === target.schema && (column === null || key.foreignColumns.includes(column));
  const isTarget = (table: RawTable): boolean => table.name === target.name && table.schema === target.schema;
  return database.tables
    .filter((table) => column !== null || !isTarget(table))
    .flatMap((table) => table.foreignKeys.filter(points).map((key) => dropForeignKey(table, key)));
}
