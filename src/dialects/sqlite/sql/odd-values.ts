// Booleans and times of day of other programs: what they mean, as SQL.

import { type Sql, sql, trusted } from '../../../core/sql/sql.js';
import { truthWords } from '../types/truths.js';

const yesWords = trusted(truthWords.yes.map((word) => `'${word}'`).join(', '));

/** Whether a stored boolean is true: a number other than zero, or a word such as `t`. */
export const truthOf = (x: Sql): Sql => sql`iif(typeof(${x}) = 'text', lower(${x}) IN (${yesWords}) OR CAST(${x} AS REAL) <> 0, ${x} <> 0)`;

const clockDigits = trusted(`'${'00:00:00'.replaceAll('0', '[0-9]')}'`);
const fractionDigits = sql`${clockDigits} || '.[0-9]*'`;

/** A time of day in the canonical form, which has no fraction or at least milliseconds. */
export function clockKey(x: Sql): Sql {
  const form = clockForm(x);
  return sql`iif(length(${form}) BETWEEN 10 AND 11 AND ${form} GLOB ${fractionDigits}, substr(${form} || '00', 1, 12), ${form})`;
}

/** A time of day as it is answered. SQLite would read a number as a Julian day; it stays what it is. */
export function clockForm(x: Sql): Sql {
  const text = sql`CAST(${x} AS TEXT)`;
  return sql`CASE WHEN ${x} GLOB ${clockDigits} THEN ${x} WHEN ${x} GLOB ${fractionDigits} THEN rtrim(rtrim(${x}, '0'), '.') WHEN ${x} GLOB '*:*' THEN coalesce(strftime('%H:%M:%S', ${x}), strftime('%H:%M:%S', '0' || ${x}), ${text}) ELSE ${text} END`;
}
