// SQL for dates and timestamps in any stored form (types/moments.ts): their wire form, comparison and order.

import type { RawColumn } from '../../../core/schema/raw.js';
import type { ColumnType } from '../../../core/schema/types/field-type.js';
import { type Sql, sql, trusted } from '../../../core/sql/sql.js';
import type { Typed } from '../../../core/sql/syntax.js';
import { hasMixedClocks, momentFormOf, wordsOf } from '../types/vendor-facts.js';
import { clockKey, truthOf } from './odd-values.js';
import { isTextDecimal } from './parameters.js';

/** The unit of numbers in this column, as a literal; NULL if unknown. */
function unitLiteral(column: RawColumn | null): Sql {
  const form = momentFormOf(column);
  return trusted(form?.kind === 'number' ? `'${form.unit}'` : 'NULL');
}

/** The wire form of a moment that is not in the service's own form. */
export const foreignMoment = (x: Sql, type: ColumnType, column: RawColumn | null): Sql =>
  sql`moment_form(${x}, ${unitLiteral(column)}, ${trusted(`'${type}'`)})`;

/** The GLOB pattern of the service's own form, which needs no conversion. */
const ownMoment = trusted(`'${'0000-00-00 00:00:00.000'.replaceAll('0', '[0-9]')}'`);

/** `x` as text that compares correctly, whatever its form. */
export const momentSql = ({ sql: x, column }: Typed): Sql =>
  sql`iif(${x} GLOB ${ownMoment}, ${x}, moment_key(${x}, ${unitLiteral(column)}))`;

/** The date of a moment. A column with plain dates needs no conversion. */
export const daySql = (x: Typed): Sql =>
  momentFormOf(x.column) === null ? x.sql : sql`substr(moment_key(${x.sql}, ${unitLiteral(x.column)}), 1, 10)`;

/**
 * Values of a single form sort correctly as they are stored, so an index on the column serves. Mixed forms need a conversion, and so do Julian days,
 * because a cursor would lose digits of their fraction.
 */
export function orderable(x: Typed): Sql {
  if (isTextDecimal(x.type, x.column)) return sql`CAST(${x.sql} AS REAL)`;
  if (x.type === 'boolean' && wordsOf(x.column)?.mixed === true) return truthOf(x.sql);
  if (x.type === 'time' && hasMixedClocks(x.column)) return clockKey(x.sql);
  const form = momentFormOf(x.column);
  return form !== null && (form.mixed || (form.kind === 'number' && form.unit === 'days')) ? momentSql(x) : x.sql;
}
