// Totals on MariaDB and MySQL: integers and floats answer numbers, bigInteger and decimal exact text without trailing zeros.

import type { AggregateFunction } from '../../core/query/query.js';
import { type Sql, sql, trusted } from '../../core/sql/sql.js';
import type { Json, Typed } from '../../core/sql/syntax.js';
import { wireForm } from './wire-form.js';

export function aggregateSql(fn: AggregateFunction, x: Typed | null): { readonly value: Sql; readonly json: Json } {
  switch (fn) {
    case 'count':
    case 'countAll':
    case 'countDistinct': {
      const what = x === null ? trusted('*') : fn === 'countDistinct' ? sql`DISTINCT ${x.sql}` : x.sql;
      return { value: sql`COUNT(${what})`, json: sql`COUNT(${what})` };
    }
    case 'min':
    case 'max':
      return extreme(fn, required(x));
    case 'sum':
    case 'sumDistinct':
      return total('SUM', fn === 'sumDistinct', required(x));
    case 'avg':
    case 'avgDistinct':
      return total('AVG', fn === 'avgDistinct', required(x));
  }
}

function required(x: Typed | null): Typed {
  if (x === null) throw new Error('this aggregate needs a field');
  return x;
}

function extreme(fn: 'min' | 'max', x: Typed): { readonly value: Sql; readonly json: Json } {
  const value = sql`${trusted(fn.toUpperCase())}(${x.sql})`;
  return { value, json: wireForm({ ...x, sql: value }, null) };
}

function total(fn: 'SUM' | 'AVG', isDistinct: boolean, x: Typed): { readonly value: Sql; readonly json: Json } {
  const isExact = x.type === 'bigInteger' || x.type === 'decimal';
  const argument = sql`${trusted(isDistinct ? 'DISTINCT ' : '')}${x.sql}${trusted(fn === 'AVG' && !isExact ? ' + 0e0' : '')}`;
  const value = sql`${trusted(fn)}(${argument})`;
  return { value, json: isExact ? exactText(value) : sql`IFNULL(${value} + 0, 'null')` };
}

/** At most sixteen decimals, trailing zeros and a bare point cut. */
function exactText(value: Sql): Sql {
  const rounded = sql`CAST(ROUND(${value}, 16) AS CHAR)`;
  const cut = sql`TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM ${rounded}))`;
  return sql`IFNULL(CONCAT('"', IF(LOCATE('.', ${rounded}) > 0, ${cut}, ${rounded}), '"'), 'null')`;
}
