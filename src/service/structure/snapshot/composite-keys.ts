// Foreign keys over several columns. A relation object names one column, so a snapshot lists these keys with their table.

import { invalidPayload } from '../../../core/errors/service-error.js';
import type { RawForeignKey, RawTable } from '../../../core/schema/raw.js';
import { collectionName } from '../../../core/schema/table-name.js';
import type { ForeignKeySpec, StructureChange } from '../../../core/vendor/ddl.js';
import { asObject, asText, isSame, type Payload } from '../describe/payload.js';
import type { Planner } from '../plan/change-set.js';
import { findTableCollection } from '../plan/find-structure.js';
import { dropForeignKey, findForeignTable, freeName, parseAction } from '../plan/foreign-key.js';
import type { StructureState } from '../plan/structure-state.js';
import { columnsList } from './snapshot-drafts.js';

const compositeKeys = ({ foreignKeys }: RawTable): readonly RawForeignKey[] => foreignKeys.filter(({ columns }) => columns.length > 1);

const describeKey = (key: RawForeignKey): Payload => ({
  columns: key.columns,
  foreign_key_table: collectionName({ schema: key.foreignSchema, name: key.foreignTable }),
  foreign_key_columns: key.foreignColumns,
  on_update: key.onUpdate,
  on_delete: key.onDelete,
});

export const describeCompositeKeys = (table: RawTable): readonly Payload[] => compositeKeys(table).map(describeKey);

const isAmong = (keys: readonly unknown[], key: unknown): boolean => keys.some((other) => isSame(key, other));

export const planDropKeys =
  (collection: string, wanted: readonly unknown[]): Planner =>
  (state) => {
    const { table } = findTableCollection(state, collection);
    const unwanted = compositeKeys(table).filter((key) => !isAmong(wanted, describeKey(key)));
    return { changes: unwanted.map((key) => dropForeignKey(table, key)), rows: [] };
  };

export const planAddKeys =
  (collection: string, wanted: readonly unknown[]): Planner =>
  (state) => {
    const { table } = findTableCollection(state, collection);
    const present = describeCompositeKeys(table);
    const add = (key: unknown): StructureChange => ({ kind: 'add-foreign-key', table, foreignKey: parseKey(state, table, key) });
    return { changes: wanted.filter((key) => !isAmong(present, key)).map(add), rows: [] };
  };

function parseKey(state: StructureState, table: RawTable, value: unknown): ForeignKeySpec {
  const key = asObject(value, 'An entry of schema.foreign_keys');
  const target = findForeignTable(state, asText(key.foreign_key_table, '"foreign_key_table"'));
  const columns = existingColumns(table, key.columns);
  const foreignColumns = existingColumns(target, key.foreign_key_columns);
  if (columns.length === 0 || columns.length !== foreignColumns.length)
    throw invalidPayload(`A foreign key of "${table.name}" must have as many columns as it points at.`);
  return {
    name: freeName(state.database, `${table.name}_${columns.join('_')}_foreign`),
    columns,
    foreignSchema: target.schema,
    foreignTable: target.name,
    foreignColumns,
    onDelete: parseAction('on_delete', key.on_delete),
    onUpdate: parseAction('on_update', key.on_update),
  };
}

function existingColumns(table: RawTable, value: unknown): readonly string[] {
  const names = columnsList(value, 'foreign_keys') ?? [];
  const unknown = names.find((name) => !table.columns.some((column) => column.name === name));
  if (unknown !== undefined) throw invalidPayload(`schema.foreign_keys names no field of "${table.name}": "${unknown}".`);
  return names;
}
