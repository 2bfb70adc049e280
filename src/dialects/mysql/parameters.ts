// How values are bound on MariaDB and MySQL: text stays text (a number compared with text would match by coercion), moments without
// zone letters, lists as one JSON text.

import type { ColumnType } from '../../core/schema/field-type.js';
import type { RawColumn } from '../../core/schema/raw.js';
import { type BoundValue, type Sql, sql, trusted } from '../../core/sql/sql.js';

export function encodeValue(type: ColumnType, list: boolean): (canonical: unknown) => BoundValue {
  if (!list) return (canonical) => encodeScalar(type, canonical);
  return (canonical) => {
    const values = Array.isArray(canonical) ? canonical : [canonical];
    return JSON.stringify(values.map((value) => toText(encodeScalar(type, value))));
  };
}

const toText = (value: BoundValue): string | null => (value === null ? null : String(value));

function encodeScalar(type: ColumnType, value: unknown): string | number | bigint | null | Uint8Array {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Uint8Array) return value;
  const text = String(value);
  return type === 'dateTime' || type === 'timestamp' ? text.replace('T', ' ').replace('Z', '') : text;
}

/** The column type of one element of a list, so that the index on the compared column serves. */
export function listColumn(type: ColumnType, column: RawColumn | null): Sql {
  switch (type) {
    case 'integer':
    case 'bigInteger':
    case 'boolean':
      return trusted('BIGINT');
    case 'float':
      return trusted('DOUBLE');
    case 'decimal':
      return decimalType(column);
    case 'date':
      return trusted('DATE');
    case 'time':
      return trusted('TIME(3)');
    case 'dateTime':
    case 'timestamp':
      return trusted('DATETIME(3)');
    default: {
      const collation = column?.collation;
      return trusted(collation?.startsWith('utf8mb4') ? `LONGTEXT CHARACTER SET utf8mb4 COLLATE ${collation}` : 'LONGTEXT');
    }
  }
}

/** `|` escapes: independent of sql_mode and of the driver. */
export const escapeLike = (text: string): string => text.replaceAll(/[|%_]/g, '|$&');

const MAX_DIGITS = 65;
const MAX_SCALE = 30;

/** As many decimals as there is room for beside the column's whole digits: an operand is never rounded to the column's scale. */
export function decimalType(column: RawColumn | null): Sql {
  const whole = column?.precision === null || column === null ? MAX_DIGITS - MAX_SCALE : column.precision - (column.scale ?? 0);
  return trusted(`DECIMAL(${MAX_DIGITS},${Math.max(Math.min(MAX_SCALE, MAX_DIGITS - whole), column?.scale ?? 0)})`);
}

/** A mark as a piece of JSON text: floats as numbers, everything else as the text the server writes it as. */
export function markForm(value: Sql, type: ColumnType): Sql {
  if (type === 'float') return sql`IFNULL(${value} + 0e0, 'null')`;
  return sql`IFNULL(JSON_QUOTE(CAST(${value} AS CHAR CHARACTER SET utf8mb4)), 'null')`;
}

export const encodeMark =
  (type: ColumnType) =>
  (mark: unknown): BoundValue => {
    if (type === 'float') return Number(mark);
    const text = String(mark);
    return (type === 'integer' || type === 'bigInteger' || type === 'boolean') && /^-?\d+$/.test(text) ? BigInt(text) : text;
  };
