// The wire form of each type on SQLite, as an argument of json_object. A value that does not fit its column's type must not fail the read.

import type { RawColumn } from '../../../core/schema/raw.js';
import { exactDigits } from '../../../core/schema/types/decimal.js';
import { type Sql, sql, trusted } from '../../../core/sql/sql.js';
import type { Json, Typed } from '../../../core/sql/syntax.js';
import { hasAffinity } from '../types/vendor-facts.js';
import { foreignMoment } from './moment-sql.js';
import { clockForm, truthOf } from './odd-values.js';

/** Patterns of the forms that the service and most programs store: SQL alone converts these, at a fraction of the cost of `foreignMoment`. */
const digits = (pattern: string): Sql => trusted(`'${pattern.replaceAll('0', '[0-9]')}'`);
const dateDigits = digits('0000-00-00');
const secondDigits = digits('0000-00-00[ T]00:00:00');
const millisecondDigits = digits('0000-00-00[ T]00:00:00.000');
const wholeSecondDigits = sql`${secondDigits} || '.000'`;

export function wireForm(x: Typed, cast: 'string' | 'number' | null): Json {
  if (cast === 'string') return asText(x);
  if (cast === 'number') return exactNumber(x);
  return byType(x);
}

/** The text of the wire form. */
function asText(x: Typed): Json {
  if (x.type === 'integer' || x.type === 'float') return sql`CAST(${x.sql} AS TEXT)`;
  return x.type === 'unknown' ? sql`CAST(${byType(x)} AS TEXT)` : x.type === 'boolean' ? sql`(${byType(x)} ->> '$')` : byType(x);
}

/** A double holds fifteen digits; text with more of them stays text, and so does text that is no number. */
function exactNumber({ sql: x }: Typed): Json {
  const digits = sql`length(rtrim(rtrim(${x}, '0'), '.'))`;
  const isText = sql`(${digits} > ${trusted(String(exactDigits))} OR ${x} GLOB '*[^-+.0-9]*' OR ${x} NOT GLOB '*[0-9]*')`;
  return sql`CASE WHEN typeof(${x}) = 'text' AND ${isText} THEN ${x} ELSE CAST(${x} AS REAL) END`;
}

function byType({ sql: x, type, column }: Typed): Sql {
  switch (type) {
    case 'string':
    case 'text':
    case 'hash':
      return column === null ? x : bytesAsText(x, column);
    case 'integer':
      return column === null ? x : exactWhole(x);
    case 'bigInteger':
      return sql`CAST(${x} AS TEXT)`;
    case 'decimal':
      return decimal(x, column?.scale ?? null);
    case 'float':
      return sql`CASE WHEN abs(${x}) = 9e999 THEN iif(${x} > 0, 'Infinity', '-Infinity') WHEN ${x} >= x'' THEN CAST(${x} AS TEXT) ELSE ${x} END`;
    case 'boolean':
      return sql`json(CASE WHEN ${x} = 1 THEN 'true' WHEN ${x} = 0 THEN 'false' WHEN ${x} IS NULL THEN NULL WHEN ${truthOf(x)} THEN 'true' ELSE 'false' END)`;
    case 'date':
      return sql`iif(${x} GLOB ${dateDigits}, ${x}, ${foreignMoment(x, type, column)})`;
    case 'time':
      return clockForm(x);
    case 'dateTime':
      return sql`CASE WHEN ${x} GLOB ${secondDigits} THEN replace(${x}, ' ', 'T') WHEN ${x} GLOB ${wholeSecondDigits} THEN replace(substr(${x}, 1, 19), ' ', 'T') ELSE ${foreignMoment(x, type, column)} END`;
    case 'timestamp':
      return sql`iif(${x} GLOB ${millisecondDigits}, replace(${x}, ' ', 'T') || 'Z', ${foreignMoment(x, type, column)})`;
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
      // The service stores GeoJSON; other programs (GeoPackage, SpatiaLite) store bytes in a form of their own.
      return sql`json(CASE WHEN typeof(${x}) = 'blob' THEN json_quote('\\x' || lower(hex(${x}))) WHEN json_valid(${x}) THEN ${x} ELSE json_quote(CAST(${x} AS TEXT)) END)`;
  }
}

/** A number while JSON is exact, else text, as are the texts and blobs that an integer column may contain: they sort behind all numbers. */
const exactWhole = (x: Sql): Sql =>
  sql`CASE WHEN ${x} BETWEEN -9007199254740991 AND 9007199254740991 THEN ${x} ELSE CAST(${x} AS TEXT) END`;

/** Any column may contain blobs, which json_object refuses. A column with TEXT affinity contains text and blobs only, and a cast leaves text unchanged. */
function bytesAsText(x: Sql, column: RawColumn): Sql {
  if (hasAffinity(column, 'TEXT')) return sql`CAST(${x} AS TEXT)`;
  return sql`CASE WHEN ${x} >= x'' THEN CAST(${x} AS TEXT) ELSE ${x} END`;
}

/** Pads numbers, as other programs store them, to the column's scale; those with more digits keep them. Text is exact already. */
function decimal(x: Sql, scale: number | null): Sql {
  if (scale === null) return sql`CAST(${x} AS TEXT)`;
  const padded = sql`printf(${trusted(`'%.${scale}f'`)}, ${x})`;
  return sql`CASE WHEN typeof(${x}) IN ('integer', 'real') AND CAST(${padded} AS REAL) = ${x} THEN ${padded} ELSE CAST(${x} AS TEXT) END`;
}
