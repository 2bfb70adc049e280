// The wire form of each type on MariaDB and MySQL, as a piece of JSON text. No piece may be NULL.

import { type Sql, sql } from '../../core/sql/sql.js';
import type { Json, Typed } from '../../core/sql/syntax.js';

/** Text with nothing to escape in it. */
const bare = (x: Sql): Sql => sql`IFNULL(CONCAT('"', ${x}, '"'), 'null')`;
const quoted = (x: Sql): Sql => sql`IFNULL(JSON_QUOTE(${x}), 'null')`;

/** A moment as it is answered, without quotes. */
export const momentText = (x: Sql): Sql => sql`CONCAT(LEFT(DATE_FORMAT(${x}, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z')`;

export function wireForm(x: Typed, cast: 'string' | 'number' | null): Json {
  if (cast === 'string') return quoted(sql`CAST(${x.sql} AS CHAR)`);
  if (cast === 'number') return sql`IFNULL(${x.sql} + 0e0, 'null')`;
  return byType(x);
}

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
      return sql`IFNULL(${x} + 0e0, 'null')`;
    case 'boolean':
      return sql`CASE WHEN ${x} IS NULL THEN 'null' WHEN ${x} THEN 'true' ELSE 'false' END`;
    case 'date':
      return bare(sql`DATE_FORMAT(${x}, '%Y-%m-%d')`);
    case 'time':
      return bare(sql`TIME_FORMAT(${x}, '%H:%i:%s')`);
    case 'dateTime':
      return bare(sql`DATE_FORMAT(${x}, '%Y-%m-%dT%H:%i:%s')`);
    case 'timestamp':
      return bare(momentText(x));
    case 'json':
      return sql`IFNULL(IF(JSON_VALID(${x}), ${x}, JSON_QUOTE(${x})), 'null')`;
    case 'csv':
      return sql`CASE WHEN ${x} IS NULL THEN 'null' WHEN LENGTH(${x}) = 0 THEN '[]' ELSE CONCAT('[', REPLACE(JSON_QUOTE(${x}), ',', '","'), ']') END`;
    case 'uuid':
      return bare(sql`LOWER(${x})`);
    case 'binary':
      return bare(sql`CONCAT('\\\\\\\\x', LOWER(HEX(${x})))`);
    case 'unknown':
      return quoted(sql`CAST(${x} AS CHAR CHARACTER SET utf8mb4)`);
    default:
      return sql`IFNULL(ST_AsGeoJSON(${x}), 'null')`;
  }
}
