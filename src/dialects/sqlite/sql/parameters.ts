// How values are bound on SQLite: integers as BigInt (better-sqlite3 binds a JavaScript number as REAL), dates and timestamps in the
// service's own text form, lists as one JSON text.

import type { RawColumn } from '../../../core/schema/raw.js';
import { type ColumnType, isGeometryType } from '../../../core/schema/types/field-type.js';
import { type BoundValue, type Sql, sql, trusted } from '../../../core/sql/sql.js';
import { isMoment, storeMoment } from '../types/moments.js';
import type { TruthWords } from '../types/truths.js';
import { momentFormOf, wordsOf } from '../types/vendor-facts.js';

/** Decimal columns hold exact text and are compared as numbers. */
export const isTextDecimal = (type: ColumnType, column: RawColumn | null): boolean => type === 'decimal' && column !== null;

/** JSON has no bytes: their text. */
const bytesOf = trusted('unhex(substr(value, 3))');

/** An element of a list, with the type by which it is compared. */
export function listType(type: ColumnType, column: RawColumn | null): Sql {
  if (isTextDecimal(type, column) || type === 'float') return trusted('CAST(value AS REAL)');
  if (type === 'boolean' && plainWords(column) !== null) return trusted('value');
  if (type === 'binary') return bytesOf;
  if (type === 'unknown') return sql`coalesce(CASE WHEN value GLOB '\\x*' THEN ${bytesOf} END, value)`;
  return type === 'integer' || type === 'bigInteger' || type === 'boolean' ? trusted('CAST(value AS INTEGER)') : trusted('value');
}

export function encodeValue(type: ColumnType, column: RawColumn | null, list: boolean): (canonical: unknown) => BoundValue {
  if (!list) return (canonical) => encodeScalar(type, column, canonical);
  return (canonical) => {
    const values = Array.isArray(canonical) ? canonical : [canonical];
    // Elements are sent as text, which is exact for every type; `listType` casts them back. Without a type, a number equals numbers only.
    return JSON.stringify(
      values.map((value) => (type === 'unknown' && typeof value === 'number' ? value : toText(encodeScalar(type, column, value)))),
    );
  };
}

function toText(value: BoundValue): string | null {
  return value === null ? null : String(value);
}

function encodeScalar(type: ColumnType, column: RawColumn | null, value: unknown): string | number | bigint | null | Uint8Array {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return encodeTruth(value, type === 'boolean' ? plainWords(column) : null);
  if (typeof value === 'number') return type === 'float' ? value : toInteger(value);
  if (typeof value === 'bigint' || value instanceof Uint8Array) return value;
  const text = String(value);
  if (type === 'dateTime' || type === 'timestamp') return text.replace('T', ' ').replace('Z', '');
  if (type === 'decimal') return padScale(text, column?.scale ?? null);
  return isGeometryType(type) && text.startsWith('\\x') ? Buffer.from(text.slice(2), 'hex') : text;
}

/** The words with which a column's booleans are compared; null: as numbers. */
function plainWords(column: RawColumn | null): TruthWords | null {
  const words = wordsOf(column);
  return words === null || words.mixed ? null : words;
}

const encodeTruth = (value: boolean, words: TruthWords | null): string | bigint =>
  words === null ? (value ? 1n : 0n) : value ? words.yes : words.no;

const toInteger = (value: number): number | bigint => (Number.isSafeInteger(value) ? BigInt(value) : value);

/** `12.5` in a column of scale 2 is stored as `12.50`, because the stored text is also the wire form. */
function padScale(text: string, scale: number | null): string {
  if (scale === null || scale === 0) return text;
  const point = text.indexOf('.');
  return point === -1 ? `${text}.${'0'.repeat(scale)}` : text.padEnd(point + 1 + scale, '0');
}

/** A cursor's mark as JSON. Floating-point numbers keep all digits as JSON numbers; integers keep them only as text. */
export const markForm = (value: Sql, type: ColumnType): Sql =>
  type === 'float' || type === 'decimal' ? value : sql`CAST(${value} AS TEXT)`;

/** Converts a mark back to the storage class that the value has in the column. */
export const encodeMark =
  ({ type, column }: { readonly type: ColumnType; readonly column: RawColumn | null }) =>
  (mark: unknown): BoundValue => {
    if (type === 'float' || type === 'decimal') return Number(mark);
    const text = String(mark);
    const isNumber = type === 'integer' || type === 'bigInteger' || type === 'boolean' || momentFormOf(column)?.kind === 'number';
    return isNumber && /^-?\d+$/.test(text) ? BigInt(text) : text;
  };

/** How a value is stored in a column: moments and booleans in the form that the column uses. */
export function encodeStored(type: ColumnType, column: RawColumn): (canonical: unknown) => BoundValue {
  if (type === 'boolean') return (canonical) => (typeof canonical === 'boolean' ? encodeTruth(canonical, wordsOf(column)) : null);
  const form = isMoment(type) ? momentFormOf(column) : null;
  if (form === null) return encodeValue(type, column, false);
  return (canonical) => (typeof canonical === 'string' ? storeMoment(canonical, form) : null);
}
