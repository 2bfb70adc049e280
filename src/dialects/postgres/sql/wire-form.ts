// The wire form of each type on PostgreSQL, as a value for row_to_json.

import { exactDigits } from '../../../core/schema/types/decimal.js';
import { empty, type Sql, sql, trusted } from '../../../core/sql/sql.js';
import type { Json, Typed } from '../../../core/sql/syntax.js';
import { isComposite, postgisType } from '../types/vendor-facts.js';

export function wireForm(x: Typed, cast: 'string' | 'number' | null): Json {
  if (cast === 'string') return asText(x);
  if (cast === 'number') return exactNumber(x);
  return byType(x);
}

/** The text of the wire form, which row_to_json gives to all but these. */
function asText(x: Typed): Json {
  const isNumber = x.type === 'integer' || x.type === 'float' || x.type === 'boolean';
  return isNumber || x.column?.structure !== undefined ? sql`${x.sql}::text` : byType(x);
}

/** A double holds fifteen digits; a number with more of them stays text. */
function exactNumber({ sql: x, column }: Typed): Json {
  if (column?.precision !== null && column?.precision !== undefined && column.precision <= exactDigits) return sql`${x}::float8`;
  return sql`CASE WHEN length(trim_scale(${x})::text) <= ${trusted(String(exactDigits))} THEN to_json(${x}::float8) ELSE to_json(${x}::text) END`;
}

function byType({ sql: x, type, column }: Typed): Sql {
  switch (type) {
    case 'bigInteger':
    case 'decimal':
      return sql`${x}::text`;
    case 'boolean':
      return column !== null && column.type !== 'boolean' ? sql`(${x} <> 0)` : x;
    // row_to_json writes these in their wire form, with the fraction of a second that they have, at a fraction of the cost of to_char.
    case 'date':
      return sql`${x}::date`;
    case 'time':
      return sql`${x}::time`;
    case 'dateTime':
      return sql`${x}::timestamp`;
    case 'timestamp':
      return moment(isTextColumn(column) ? sql`${x}::timestamptz` : x, column?.fraction ?? 3);
    case 'json':
      return isTextColumn(column) ? sql`${x}::json` : x;
    case 'csv':
      return sql`CASE WHEN ${x} = '' THEN '[]'::json ELSE to_json(string_to_array(${x}, ',')) END`;
    case 'uuid':
      return isTextColumn(column) ? sql`lower(${x})` : x;
    case 'unknown':
      return ownForm(x, column);
    default:
      return geometryForm(x, column);
  }
}

/** GeoJSON has no curves, which are answered as lines, and no surfaces of triangles, which are answered as WKT. */
function geometryForm(x: Sql, column: Typed['column']): Sql {
  const postgis = postgisType(column);
  if (postgis === null) return x;
  const [prefix, name] = postgis;
  const call = (fn: string, value: Sql): Sql => sql`${trusted(`${prefix}${fn}`)}(${value}${trusted(fn === 'ST_AsGeoJSON' ? ', 15' : '')})`;
  const shape = name === 'geometry' ? x : sql`${x}::${trusted(`${prefix}geometry`)}`;
  const kind = sql`rtrim(${call('GeometryType', shape)}, 'M')`;
  const plain = trusted("'POINT', 'LINESTRING', 'POLYGON', 'MULTIPOINT', 'MULTILINESTRING', 'MULTIPOLYGON'");
  const surfaces = trusted("'TIN', 'TRIANGLE', 'POLYHEDRALSURFACE'");
  return sql`CASE WHEN ${kind} IN (${plain}) THEN ${call('ST_AsGeoJSON', shape)}::json WHEN ${kind} IN (${surfaces}) THEN to_json(${call('ST_AsText', shape)}) ELSE ${call('ST_AsGeoJSON', call('ST_CurveToLine', shape))}::json END`;
}

/** With milliseconds, and more digits if the timestamp has them. Years before 1 get the suffix BC; infinity is written in words. */
function moment(x: Sql, digits: number): Sql {
  const utc = sql`${x} AT TIME ZONE 'UTC'`;
  const milliseconds = sql`to_char(${utc}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const microseconds = sql`rtrim(to_char(${utc}, 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0') || 'Z'`;
  const exact = digits > 3 ? sql`WHEN ${x} <> date_trunc('milliseconds', ${x}) THEN ${microseconds} ` : empty;
  const early = sql`to_char(${utc}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z BC"')`;
  return sql`CASE WHEN NOT isfinite(${x}) THEN ${x}::text WHEN ${x} < '0001-01-01 00:00:00+00' THEN ${early} ${exact}ELSE ${milliseconds} END`;
}

/** An unknown type is written as row_to_json does, except rows and the elements of arrays that JSON numbers would round, which become text. */
function ownForm(x: Sql, column: Typed['column']): Sql {
  if (column === null) return x;
  if (isComposite(column)) return sql`${x}::text`;
  const { structure } = column;
  if (structure?.kind !== 'list') return x;
  const { type } = structure.element;
  const asText = type === 'bigInteger' || type === 'decimal' || column.vendor['elementCategory'] === 'C';
  return asText ? sql`${x}::text[]` : x;
}

const isTextColumn = (column: Typed['column']): boolean => column !== null && (column.type === 'string' || column.type === 'text');
