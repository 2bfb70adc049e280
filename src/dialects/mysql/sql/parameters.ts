// How values are bound on MariaDB and MySQL: text as text (a number would match text by coercion), dates and times without `T` and `Z`, lists
// as one JSON text.

import type { RawColumn } from '../../../core/schema/raw.js';
import type { ColumnType } from '../../../core/schema/types/field-type.js';
import { type BoundValue, type Sql, sql, trusted } from '../../../core/sql/sql.js';
import { columnFacts } from '../types/vendor-facts.js';

export function encodeValue(type: ColumnType, list: boolean): (canonical: unknown) => BoundValue {
  if (!list) return (canonical) => encodeScalar(type, canonical);
  return (canonical) => {
    const values = Array.isArray(canonical) ? canonical : [canonical];
    return JSON.stringify(values.map((value) => toText(encodeScalar(type, value))));
  };
}

/** The same for values to compare with a column: one of four bytes holds the nearest of its own numbers. */
export function encodeCompared(type: ColumnType, column: RawColumn | null, list: boolean): (canonical: unknown) => BoundValue {
  const encode = encodeValue(type, list);
  if (type !== 'float' || column?.dataType !== 'float') return encode;
  return (canonical) => encode(Array.isArray(canonical) ? canonical.map(toSingle) : toSingle(canonical));
}

/** What is too large for four bytes stays what it is, and equals none of them. */
const toSingle = (value: unknown): unknown => {
  const single = typeof value === 'number' ? Math.fround(value) : value;
  return typeof single === 'number' && !Number.isFinite(single) ? value : single;
};

const toText = (value: BoundValue): string | null => (value === null ? null : String(value));

function encodeScalar(type: ColumnType, value: unknown): string | number | bigint | null | Uint8Array {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Uint8Array) return value;
  const text = String(value);
  return type === 'dateTime' || type === 'timestamp' ? text.replace('T', ' ').replace('Z', '') : text;
}

/** The type of a list's elements in JSON_TABLE, chosen so that an index on the compared column can be used. */
export function listColumn(type: ColumnType, column: RawColumn | null): Sql {
  switch (type) {
    case 'integer':
    case 'bigInteger':
    case 'boolean':
      return trusted(column !== null && columnFacts(column).unsigned ? 'BIGINT UNSIGNED' : 'BIGINT');
    case 'float':
      return trusted('DOUBLE');
    case 'decimal':
      return decimalType(column);
    case 'date':
      return trusted('DATE');
    case 'time':
      return trusted('TIME(6)');
    case 'dateTime':
    case 'timestamp':
      return trusted('DATETIME(6)');
    default: {
      const collation = column?.collation;
      return trusted(collation?.startsWith('utf8mb4') ? `LONGTEXT CHARACTER SET utf8mb4 COLLATE ${collation}` : 'LONGTEXT');
    }
  }
}

/** Escapes with `|` rather than a backslash, which depends on sql_mode. */
export const escapeLike = (text: string): string => text.replaceAll(/[|%_]/g, '|$&');

const MAX_DIGITS = 65;
const MAX_SCALE = 30;

/** Room for the column's integer digits and as many decimals as possible, so that an operand is not rounded to the column's scale. */
export function decimalType(column: RawColumn | null): Sql {
  const whole = column?.precision === null || column === null ? MAX_DIGITS - MAX_SCALE : column.precision - (column.scale ?? 0);
  return trusted(`DECIMAL(${MAX_DIGITS},${Math.max(Math.min(MAX_SCALE, MAX_DIGITS - whole), column?.scale ?? 0)})`);
}

/** A cursor's mark as a piece of JSON text: a float as a number, any other value as the server's text of it. */
export function markForm(value: Sql, type: ColumnType): Sql {
  if (type === 'float') return sql`IFNULL(${value} + 0e0, 'null')`;
  return sql`IFNULL(JSON_QUOTE(CAST(${value} AS CHAR CHARACTER SET utf8mb4)), 'null')`;
}

/** Converts a mark back to a value to bind. */
export const encodeMark =
  (type: ColumnType) =>
  (mark: unknown): BoundValue => {
    if (type === 'float') return Number(mark);
    const text = String(mark);
    return (type === 'integer' || type === 'bigInteger' || type === 'boolean') && /^-?\d+$/.test(text) ? BigInt(text) : text;
  };
