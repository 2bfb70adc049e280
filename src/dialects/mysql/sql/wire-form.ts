// The wire form of each type on MariaDB and MySQL, as a piece of JSON text that is never NULL.

import { exactDigits } from '../../../core/schema/types/decimal.js';
import { empty, type Sql, sql, trusted } from '../../../core/sql/sql.js';
import type { Json, Typed } from '../../../core/sql/syntax.js';
import { bitsOfColumn } from '../types/vendor-facts.js';

/** A BIT column as text of its binary digits. */
export const bitText = (x: Sql, column: Typed['column']): Sql => sql`LPAD(BIN(${x}), ${trusted(String(bitsOfColumn(column)))}, '0')`;

/** Quotes text that needs no escaping. */
const bare = (x: Sql): Sql => sql`IFNULL(CONCAT('"', ${x}, '"'), 'null')`;
const quoted = (x: Sql): Sql => sql`IFNULL(JSON_QUOTE(${x}), 'null')`;

/** The wire form of a timestamp, without quotes. */
export function momentText(x: Sql, column: Typed['column']): Sql {
  const exact = sql`DATE_FORMAT(${x}, '%Y-%m-%dT%H:%i:%s.%f')`;
  const more = keepsMore(column, 3) ? sql`, TRIM(TRAILING '0' FROM SUBSTR(${exact}, 24))` : empty;
  return sql`CONCAT(LEFT(${exact}, 23)${more}, 'Z')`;
}

/** Whether the column stores more than `digits` fractional digits of a second. */
const keepsMore = (column: Typed['column'], digits: number): boolean => (column?.fraction ?? 3) > digits;

/** Removes trailing zeros of a fraction, and the point if nothing is left. */
const withoutZeros = (x: Sql): Sql => sql`TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM ${x}))`;

export function wireForm(x: Typed, cast: 'string' | 'number' | null): Json {
  // Numbers are the only keys that are not texts anyway.
  if (cast === 'string') return x.type === 'integer' || x.type === 'float' ? quoted(sql`CAST(${x.sql} AS CHAR)`) : byType(x);
  if (cast === 'number') return exactNumber(x);
  return byType(x);
}

/** A double holds fifteen digits; a number with more of them stays text. */
function exactNumber({ sql: x, column }: Typed): Json {
  const number = sql`IFNULL(${x} + 0e0, 'null')`;
  if (column?.precision !== null && column?.precision !== undefined && column.precision <= exactDigits) return number;
  return sql`IF(LENGTH(TRIM(TRAILING '0' FROM ${x})) > ${trusted(String(exactDigits + 1))}, ${bare(x)}, ${number})`;
}

/** 0.23 in four bytes is 0.23000000417 in eight. The server's own text of it has six digits: right unless the number needs more. */
const single = (x: Sql): Sql => sql`IFNULL(IF(CAST(CONCAT(${x}) AS FLOAT) = ${x}, CONCAT(${x}), ${x} + 0e0), 'null')`;

function byType({ sql: x, type, column }: Typed): Sql {
  switch (type) {
    case 'string':
    case 'text':
    case 'hash':
      return quoted(column === null ? sql`CAST(${x} AS CHAR)` : x);
    case 'integer':
      return sql`IFNULL(${x} + 0, 'null')`;
    case 'bigInteger':
    case 'decimal':
      return bare(x);
    case 'float':
      return column?.dataType === 'float' ? single(x) : sql`IFNULL(${x} + 0e0, 'null')`;
    case 'boolean':
      return sql`CASE WHEN ${x} IS NULL THEN 'null' WHEN ${x} THEN 'true' ELSE 'false' END`;
    case 'date':
      return bare(sql`DATE_FORMAT(${x}, '%Y-%m-%d')`);
    case 'time':
      return bare(keepsMore(column, 0) ? withoutZeros(sql`TIME_FORMAT(${x}, '%H:%i:%s.%f')`) : sql`TIME_FORMAT(${x}, '%H:%i:%s')`);
    case 'dateTime':
      return bare(
        keepsMore(column, 0) ? withoutZeros(sql`DATE_FORMAT(${x}, '%Y-%m-%dT%H:%i:%s.%f')`) : sql`DATE_FORMAT(${x}, '%Y-%m-%dT%H:%i:%s')`,
      );
    case 'timestamp':
      return bare(momentText(x, column));
    case 'json':
      return sql`IFNULL(IF(JSON_VALID(${x}), ${x}, JSON_QUOTE(${x})), 'null')`;
    case 'csv':
      return sql`CASE WHEN ${x} IS NULL THEN 'null' WHEN LENGTH(${x}) = 0 THEN '[]' ELSE CONCAT('[', REPLACE(JSON_QUOTE(${x}), ',', '","'), ']') END`;
    case 'uuid':
      // A char(36) may hold any text, and the result of JSON_QUOTE combines with text of every collation.
      return quoted(sql`LOWER(${x})`);
    case 'binary':
      return bare(sql`CONCAT('\\\\\\\\x', LOWER(HEX(${x})))`);
    case 'unknown':
      if (bitsOfColumn(column) !== null) return bare(bitText(x, column));
      return quoted(sql`CAST(${x} AS CHAR CHARACTER SET utf8mb4)`);
    default:
      return sql`IFNULL(ST_AsGeoJSON(${x}), 'null')`;
  }
}
