// How values are bound on SQLite: integers as BigInt (a JS number would be stored as REAL), moments as the text the service writes, lists
// as one JSON text.

import type { ColumnType } from '../../core/schema/field-type.js';
import type { RawColumn } from '../../core/schema/raw.js';
import { type BoundValue, type Sql, sql, trusted } from '../../core/sql/sql.js';

/** Decimals the service keeps as exact text are compared as numbers. */
export const isTextDecimal = (type: ColumnType, column: RawColumn | null): boolean => type === 'decimal' && column !== null;

/** How an element of the list is compared. */
export function listType(type: ColumnType, column: RawColumn | null): Sql {
  if (isTextDecimal(type, column) || type === 'float') return trusted('CAST(value AS REAL)');
  return type === 'integer' || type === 'bigInteger' || type === 'boolean' ? trusted('CAST(value AS INTEGER)') : trusted('value');
}

export function encodeValue(type: ColumnType, column: RawColumn | null, list: boolean): (canonical: unknown) => BoundValue {
  if (!list) return (canonical) => encodeScalar(type, column, canonical);
  return (canonical) => {
    const values = Array.isArray(canonical) ? canonical : [canonical];
    // Elements go as text: exact for every type, cast back where they are compared.
    return JSON.stringify(values.map((value) => toText(encodeScalar(type, column, value))));
  };
}

function toText(value: BoundValue): string | null {
  return value === null ? null : String(value);
}

function encodeScalar(type: ColumnType, column: RawColumn | null, value: unknown): string | number | bigint | null | Uint8Array {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number') return type === 'float' ? value : toInteger(value);
  if (typeof value === 'bigint' || value instanceof Uint8Array) return value;
  const text = String(value);
  if (type === 'dateTime' || type === 'timestamp') return text.replace('T', ' ').replace('Z', '');
  if (type === 'decimal') return padScale(text, column?.scale ?? null);
  return text;
}

const toInteger = (value: number): number | bigint => (Number.isSafeInteger(value) ? BigInt(value) : value);

/** `12.5` in a column of scale 2 is kept as `12.50`: the text is the answer. */
function padScale(text: string, scale: number | null): string {
  if (scale === null || scale === 0) return text;
  const point = text.indexOf('.');
  return point === -1 ? `${text}.${'0'.repeat(scale)}` : text.padEnd(point + 1 + scale, '0');
}

/** A mark as JSON: numbers with a point keep all their digits as JSON numbers, whole ones only as text. */
export const markForm = (value: Sql, type: ColumnType): Sql =>
  type === 'float' || type === 'decimal' ? value : sql`CAST(${value} AS TEXT)`;

/** Back to the storage class the mark was taken from. */
export const encodeMark =
  (type: ColumnType) =>
  (mark: unknown): BoundValue => {
    if (type === 'float' || type === 'decimal') return Number(mark);
    const text = String(mark);
    return (type === 'integer' || type === 'bigInteger' || type === 'boolean') && /^-?\d+$/.test(text) ? BigInt(text) : text;
  };
