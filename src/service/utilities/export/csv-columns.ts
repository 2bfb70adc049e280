// The columns of a CSV file. The query determines them, except for objects inside JSON values: these are flattened if the export has few
// enough rows to look at all of them first, and are one column of JSON text otherwise.

import type { AnswerColumn } from '../../../core/plan/read/answer-columns.js';
import { isPlainObject } from '../../../core/util/plain-object.js';

export type CsvRow = Readonly<Record<string, unknown>>;

export interface CsvColumn {
  readonly path: readonly string[];
  /** Objects have further columns and leave this one empty. */
  readonly flat: boolean;
}

export const hasOpenColumns = (columns: readonly AnswerColumn[]): boolean => columns.some((column) => column.open);

/** The columns that the query determines; JSON values are not flattened. */
export const givenColumns = (columns: readonly AnswerColumn[]): readonly CsvColumn[] => columns.map(({ path }) => ({ path, flat: false }));

/** All columns of the rows; those inside JSON values in the order in which they appear. */
export const findColumns = (columns: readonly AnswerColumn[], rows: readonly CsvRow[]): readonly CsvColumn[] =>
  columns.flatMap(({ path, open }) => (open ? openColumns(path, rows) : [{ path, flat: false }]));

function openColumns(path: CsvColumn['path'], rows: readonly CsvRow[]): readonly CsvColumn[] {
  const found = new Map<string, CsvColumn>();
  for (const row of rows) collectColumns(path, valueAt(row, path), found);
  return found.size === 0 ? [{ path, flat: true }] : [...found.values()];
}

/** An empty object has no keys to become columns, so its own column shows it. */
function collectColumns(path: CsvColumn['path'], value: unknown, found: Map<string, CsvColumn>): void {
  if (value === null || value === undefined) return;
  if (!hasKeys(value)) found.set(JSON.stringify(path), { path, flat: true });
  else for (const key of Object.keys(value)) collectColumns([...path, key], value[key], found);
}

export function valueIn(row: CsvRow, { path, flat }: CsvColumn): unknown {
  const value = valueAt(row, path);
  return flat && hasKeys(value) ? null : value;
}

function valueAt(row: CsvRow, path: CsvColumn['path']): unknown {
  let value: unknown = row;
  for (const key of path) value = isPlainObject(value) && Object.hasOwn(value, key) ? value[key] : null;
  return value;
}

const hasKeys = (value: unknown): value is CsvRow => isPlainObject(value) && Object.keys(value).length > 0;
