// The wire form of each type on PostgreSQL, as a value that row_to_json writes.

import { type Sql, sql, trusted } from '../../core/sql/sql.js';
import type { Json, Typed } from '../../core/sql/syntax.js';

export function wireForm(x: Typed, cast: 'string' | 'number' | null): Json {
  if (cast === 'string') return sql`${x.sql}::text`;
  if (cast === 'number') return sql`${x.sql}::float8`;
  return byType(x);
}

function byType({ sql: x, type, column }: Typed): Sql {
  switch (type) {
    case 'bigInteger':
    case 'decimal':
      return sql`${x}::text`;
    case 'float':
      return sql`CASE WHEN ${x} IN ('NaN', 'Infinity', '-Infinity') THEN NULL ELSE ${x} END`;
    case 'boolean':
      return column !== null && column.type !== 'boolean' ? sql`(${x} <> 0)` : x;
    case 'date':
      return finite(sql`${x}::date`, (date) => date);
    case 'time':
      return sql`to_char(${x}, 'HH24:MI:SS')`;
    case 'dateTime':
      return finite(sql`${x}::timestamp`, (moment) => sql`date_trunc('second', ${moment})`);
    case 'timestamp':
      return sql`to_char(${x}${trusted(isTextColumn(column) ? '::timestamptz' : '')} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
    case 'json':
      return isTextColumn(column) ? sql`${x}::json` : x;
    case 'csv':
      return sql`CASE WHEN ${x} = '' THEN '[]'::json ELSE to_json(string_to_array(${x}, ',')) END`;
    case 'uuid':
      return isTextColumn(column) ? sql`lower(${x})` : x;
    default:
      return type.startsWith('geometry') && column?.dataType === 'USER-DEFINED' ? sql`ST_AsGeoJSON(${x})::json` : x;
  }
}

/** JSON writes dates and moments in the form of the wire at a fraction of what `to_char` takes; but the infinite ones it would write as words. */
const finite = (x: Sql, write: (x: Sql) => Sql): Sql => sql`CASE WHEN isfinite(${x}) THEN ${write(x)} END`;

const isTextColumn = (column: Typed['column']): boolean => column !== null && (column.type === 'string' || column.type === 'text');
