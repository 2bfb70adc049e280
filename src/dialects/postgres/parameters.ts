// How values are bound on PostgreSQL: every placeholder carries the cast of its type, so that one parameter has one type wherever it stands.

import type { ColumnType } from '../../core/schema/field-type.js';
import type { RawColumn } from '../../core/schema/raw.js';
import type { BoundValue } from '../../core/sql/sql.js';

const casts: Readonly<Partial<Record<ColumnType, string>>> = {
  // Keys beyond the column's range find nothing instead of failing; the index still serves the comparison.
  integer: 'bigint',
  bigInteger: 'bigint',
  float: 'float8',
  decimal: 'numeric',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  dateTime: 'timestamp',
  timestamp: 'timestamptz',
  uuid: 'uuid',
  json: 'json',
  binary: 'bytea',
};

export function castOf(type: ColumnType, column: RawColumn | null, list: boolean): string {
  const isTextColumn = column !== null && (column.type === 'string' || column.type === 'text');
  const cast = isTextColumn ? 'text' : (casts[type] ?? 'text');
  return `::${cast}${list ? '[]' : ''}`;
}

export const encodeValue =
  (type: ColumnType) =>
  (canonical: unknown): BoundValue => {
    if (Array.isArray(canonical)) return canonical.map((value) => encodeScalar(type, value)) as BoundValue;
    return encodeScalar(type, canonical);
  };

function encodeScalar(type: ColumnType, value: unknown): string | number | boolean | null | Uint8Array {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number' || typeof value === 'boolean' || value instanceof Uint8Array) return value;
  return type === 'dateTime' ? String(value).replace('T', ' ') : String(value);
}

export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&');

/** Types without an order of their own are ordered by their text. */
export function hasOrder(type: ColumnType, column: RawColumn | null): boolean {
  if (type === 'json') return false;
  return type !== 'unknown' || (column?.vendor['category'] !== 'G' && column?.vendor['sqlType'] !== 'xml');
}

/** From the text of a mark back to the value it was taken from. */
export function markCast({ type, column }: { readonly type: ColumnType; readonly column: RawColumn | null }): string {
  if (!hasOrder(type, column)) return '::text';
  const exact = type === 'unknown' ? column?.vendor['sqlType'] : null;
  return typeof exact === 'string' ? `::text::${exact}` : castOf(type, column, false);
}
