// A key that somebody named for a view, a foreign table or a table without one. It is kept in the metadata of the fields (the flag `key`) and nowhere
// else: the database neither knows nor enforces it, and DDL is planned on the table as it is.

import { listOf, type MetaRow } from '../meta-row.js';
import { type RawTable, type RawTriggers, rowEvents } from '../raw.js';
import { type ColumnType, isGeometryType } from '../types/field-type.js';

/** The flag in `special` of a field that is part of a named key. */
export const keyFlag = 'key';

export const hasKeyFlag = (row: MetaRow | undefined): boolean => row !== undefined && listOf(row, 'special').includes(keyFlag);

const unfit: ReadonlySet<ColumnType> = new Set(['json', 'unknown']);

/** Whether values of the type identify an item. A column of SQLite without a type holds any value and is told apart by it. */
export const fitsKey = (type: ColumnType, loose: boolean): boolean => (loose || !unfit.has(type)) && !isGeometryType(type);

/**
 * The table with the key that its fields name, in the order of its columns. A key of its own counts alone; a key of which a column is gone or has
 * become unfit counts no more, since what is left of it need not be unique.
 */
export function withNamedKey(table: RawTable, fieldMeta: ReadonlyMap<string, MetaRow>): RawTable {
  if (table.primaryKey.length > 0 || table.mirrored === true) return table;
  const named = [...fieldMeta].flatMap(([field, row]) => (hasKeyFlag(row) ? [field] : []));
  const columns = table.columns.filter(({ name, type, loose }) => named.includes(name) && fitsKey(type, loose === true));
  if (named.length === 0 || columns.length !== named.length) return table;
  const primaryKey = columns.map(({ name }) => name);
  if (table.kind === 'table') return { ...table, primaryKey, namedKey: { locks: true } };
  // Rows behind triggers and rules may be sums of many, which cannot be locked.
  return { ...table, primaryKey, namedKey: { locks: table.triggers === null }, triggers: replacedBy(table.triggers) };
}

/** Whatever writes a view, the stored rows, their number and their keys may be others than those that were sent. */
const replacedBy = (triggers: RawTriggers | null): RawTriggers => ({ events: all, before: all, silent: triggers?.silent ?? false });

const all: RawTriggers['events'] = new Set(rowEvents);
