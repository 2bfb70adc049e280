// Which columns a CSV file has. They are known from the query, but for objects inside JSON values: those are laid flat when all rows are at
// hand, and stay one column of JSON text when there are too many to wait for.

import type { AnswerColumn } from '../../../core/plan/answer-columns.js';

export type CsvRow = Readonly<Record<string, unknown>>;

export interface CsvColumn {
  readonly path: readonly string[];
  /** Objects have columns of their own and leave this one empty. */
  readonly flat: boolean;
}

export const hasOpenColumns = (columns: readonly AnswerColumn[]): boolean => columns.some((column) => column.open);

/** The columns the query tells of; JSON values stay whole. */
export const givenColumns = (columns: readonly AnswerColumn[]): readonly CsvColumn[] => columns.map(({ path }) => ({ path, flat: false }));

/** Every column the rows have, those inside JSON values in the order they are met. */
export const findColumns = (columns: readonly AnswerColumn[], rows: readonly CsvRow[]): readonly CsvColumn[] =>
  columns.flatMap(({ path, open }) => (open ? openColumns(path, rows) : [{ path, flat: false }]));

function openColumns(path: CsvColumn['path'], rows: readonly CsvRow[]): readonly CsvColumn[] {
  const found = new Map<string, CsvColumn>();
  for (const row of rows) collectColumns(path, valueAt(row, path), found);
  return found.size === 0 ? [{ path, flat: true }] : [...found.values()];
}

/** An empty object has no keys to be columns: it stands for itself. */
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
  for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : null;
  return value;
}

const hasKeys = (value: unknown): value is CsvRow => isObject(value) && Object.keys(value).length > 0;

const isObject = (value: unknown): value is CsvRow => typeof value === 'object' && value !== null && !Array.isArray(value);
