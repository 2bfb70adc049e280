// How values are bound on PostgreSQL: every placeholder has a cast, so that the type of a parameter does not depend on its context.

import type { RawColumn } from '../../../core/schema/raw.js';
import type { ColumnType } from '../../../core/schema/types/field-type.js';
import type { BoundValue } from '../../../core/sql/sql.js';
import { exactType, hasOrder, hasOwnText, isEnum } from '../types/vendor-facts.js';

const casts: Readonly<Partial<Record<ColumnType, string>>> = {
  // A key outside of the column's range matches nothing instead of failing; an index on the column still serves the comparison.
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
  if (column !== null && hasOwnText(column)) return `::${exactType(column)}${list ? '[]' : ''}`;
  // bpchar ignores trailing blanks, as the column itself does.
  if (column?.dataType === 'character') return `::bpchar${list ? '[]' : ''}`;
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

/** A type without an order is ordered by its text. */
export const isOrdered = (type: ColumnType, column: RawColumn | null): boolean => type !== 'json' && hasOrder(column);

/** Casts the text of a cursor's mark back to the type of the value. */
export function markCast({ type, column }: { readonly type: ColumnType; readonly column: RawColumn | null }): string {
  if (!isOrdered(type, column)) return '::text';
  return column !== null && (type === 'unknown' || isEnum(column)) ? `::text::${exactType(column)}` : castOf(type, column, false);
}
