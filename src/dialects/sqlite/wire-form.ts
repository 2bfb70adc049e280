// The wire form of each type on SQLite, as an argument of json_object. One value that does not fit must not end the whole read.

import type { RawColumn } from '../../core/schema/raw.js';
import { type Sql, sql, trusted } from '../../core/sql/sql.js';
import type { Json, Typed } from '../../core/sql/syntax.js';
import { hasAffinity } from './vendor-facts.js';

/** Moments as the service and most programs store them: putting in a letter costs a fifth of strftime, which is for all other forms. */
const digits = (pattern: string): Sql => trusted(`'${pattern.replaceAll('0', '[0-9]')}'`);
const dateDigits = digits('0000-00-00');
const secondDigits = digits('0000-00-00[ T]00:00:00');
const millisecondDigits = digits('0000-00-00[ T]00:00:00.000');

export function wireForm(x: Typed, cast: 'string' | 'number' | null): Json {
  if (cast === 'string') return sql`CAST(${x.sql} AS TEXT)`;
  if (cast === 'number') return sql`CAST(${x.sql} AS REAL)`;
  return byType(x);
}

function byType({ sql: x, type, column }: Typed): Sql {
  switch (type) {
    case 'string':
    case 'text':
    case 'hash':
    case 'integer':
      return column === null ? x : bytesAsText(x, column);
    case 'bigInteger':
      return sql`CAST(${x} AS TEXT)`;
    case 'decimal':
      return decimal(x, column?.scale ?? null);
    case 'float':
      return sql`CASE WHEN abs(${x}) = 9e999 THEN NULL WHEN ${x} >= x'' THEN CAST(${x} AS TEXT) ELSE ${x} END`;
    case 'boolean':
      return sql`json(CASE WHEN ${x} IS NULL THEN NULL WHEN ${x} THEN 'true' ELSE 'false' END)`;
    case 'date':
      return sql`iif(${x} GLOB ${dateDigits}, ${x}, strftime('%Y-%m-%d', ${x}))`;
    case 'time':
      return sql`strftime('%H:%M:%S', ${x})`;
    case 'dateTime':
      return sql`iif(${x} GLOB ${secondDigits}, replace(${x}, ' ', 'T'), strftime('%Y-%m-%dT%H:%M:%S', ${x}))`;
    case 'timestamp':
      return sql`iif(${x} GLOB ${millisecondDigits}, replace(${x}, ' ', 'T') || 'Z', strftime('%Y-%m-%dT%H:%M:%fZ', ${x}))`;
    case 'json':
      return sql`json(iif(json_valid(${x}), ${x}, json_quote(CAST(${x} AS TEXT))))`;
    case 'csv':
      return sql`CASE WHEN ${x} IS NULL THEN NULL WHEN ${x} = '' THEN json('[]') ELSE json('[' || replace(json_quote(CAST(${x} AS TEXT)), ',', '","') || ']') END`;
    case 'uuid':
      return sql`lower(${x})`;
    case 'binary':
      return sql`CASE WHEN ${x} IS NOT NULL THEN '\\x' || lower(hex(${x})) END`;
    case 'unknown':
      return sql`CASE WHEN typeof(${x}) = 'blob' THEN '\\x' || lower(hex(${x})) ELSE ${x} END`;
    default:
      return sql`json(iif(json_valid(${x}), ${x}, json_quote(CAST(${x} AS TEXT))))`;
  }
}

/**
 * Bytes may stand in any column, and JSON cannot hold them. Beside them a column with TEXT affinity holds nothing but text, which a cast leaves
 * as it is, and the rowid is a number always.
 */
function bytesAsText(x: Sql, column: RawColumn): Sql {
  if (column.autoIncrement) return x;
  if (hasAffinity(column, 'TEXT')) return sql`CAST(${x} AS TEXT)`;
  return sql`CASE WHEN ${x} >= x'' THEN CAST(${x} AS TEXT) ELSE ${x} END`;
}

/** Numbers in a column found with NUMERIC affinity are written to its scale; what is kept as text is exact already. */
function decimal(x: Sql, scale: number | null): Sql {
  const format = scale === null ? sql`CAST(${x} AS TEXT)` : sql`printf(${trusted(`'%.${scale}f'`)}, ${x})`;
  return sql`CASE WHEN typeof(${x}) IN ('integer', 'real') THEN ${format} ELSE CAST(${x} AS TEXT) END`;
}
