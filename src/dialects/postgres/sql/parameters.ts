// How values are bound on PostgreSQL: every placeholder has a cast, so that the type of a parameter does not depend on its context.

import type { RawColumn } from '../../../core/schema/raw.js';
import type { ColumnType } from '../../../core/schema/types/field-type.js';
import type { BoundValue } from '../../../core/sql/sql.js';
import { exactType, hasOrder, hasOwnText, isAddress, isEnum, isSingle } from '../types/vendor-facts.js';

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
  if (type === 'float' && isSingle(column)) return `::real${list ? '[]' : ''}`;
  // bpchar ignores trailing blanks, as the column itself does.
  if (column?.dataType === 'character') return `::bpchar${list ? '[]' : ''}`;
  const isTextColumn = column !== null && (column.type === 'string' || column.type === 'text');
  const cast = isTextColumn ? 'text' : (casts[type] ?? 'text');
  return `::${cast}${list ? '[]' : ''}`;
}

/** `column`: the one that the value is compared with. */
export const encodeValue =
  (type: ColumnType, column: RawColumn | null) =>
  (canonical: unknown): BoundValue => {
    const encode = (value: unknown) => encodeScalar(type, compared(value, column));
    if (!Array.isArray(canonical)) return encode(canonical);
    // In a list, bytes are their text, which the cast reads.
    return canonical.map((value) => (value instanceof Uint8Array ? String(value) : encode(value))) as BoundValue;
  };

/** A number outside of a single float's range would be refused as `real`; an address has no mask of all its bits, as in its output. */
function compared(value: unknown, column: RawColumn | null): unknown {
  if (typeof value === 'number' && isSingle(column)) return Math.fround(value);
  return typeof value === 'string' && isAddress(column) ? value.toLowerCase().replace(value.includes(':') ? /\/128$/ : /\/32$/, '') : value;
}

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
