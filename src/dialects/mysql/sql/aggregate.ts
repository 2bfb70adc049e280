// Aggregates on MariaDB and MySQL: totals of integers and floats are numbers; totals of bigInteger and decimal are exact text without
// trailing zeros.

import { aggregateBy } from '../../../core/sql/shared-syntax.js';
import { type Sql, sql, trusted } from '../../../core/sql/sql.js';
import { wireForm } from './wire-form.js';

export const aggregateSql = aggregateBy({
  count(what) {
    const value = sql`COUNT(${what})`;
    return { value, json: value };
  },
  distinct: (x) => x.sql,

  extreme(fn, x) {
    const value = sql`${trusted(fn.toUpperCase())}(${x.sql})`;
    return { value, json: wireForm({ ...x, sql: value }, null) };
  },

  total(fn, isDistinct, x) {
    const isExact = x.type === 'bigInteger' || x.type === 'decimal';
    const argument = sql`${trusted(isDistinct ? 'DISTINCT ' : '')}${x.sql}${trusted(fn === 'avg' && !isExact ? ' + 0e0' : '')}`;
    const value = sql`${trusted(fn.toUpperCase())}(${argument})`;
    return { value, json: isExact ? exactText(value) : sql`IFNULL(${value} + 0, 'null')` };
  },
});

/** At most sixteen decimals, without trailing zeros and without a trailing point. */
function exactText(value: Sql): Sql {
  const rounded = sql`CAST(ROUND(${value}, 16) AS CHAR)`;
  const cut = sql`TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM ${rounded}))`;
  return sql`IFNULL(CONCAT('"', IF(LOCATE('.', ${rounded}) > 0, ${cut}, ${rounded}), '"'), 'null')`;
}
