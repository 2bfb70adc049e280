// Totals on SQLite: integers and floats answer numbers, bigInteger and decimal exact text, by the functions every connection registers.

import type { AggregateFunction } from '../../core/query/query.js';
import { type Sql, sql, trusted } from '../../core/sql/sql.js';
import type { Json, Typed } from '../../core/sql/syntax.js';
import { isTextDecimal } from './parameters.js';
import { wireForm } from './wire-form.js';

export function aggregateSql(fn: AggregateFunction, x: Typed | null): { readonly value: Sql; readonly json: Json } {
  switch (fn) {
    case 'count':
    case 'countAll':
    case 'countDistinct': {
      const what = x === null ? trusted('*') : fn === 'countDistinct' ? sql`DISTINCT ${x.sql}` : x.sql;
      return same(sql`count(${what})`);
    }
    case 'min':
    case 'max':
      return extreme(fn, required(x));
    case 'sum':
    case 'sumDistinct':
      return total('sum', fn === 'sumDistinct', required(x));
    case 'avg':
    case 'avgDistinct':
      return total('avg', fn === 'avgDistinct', required(x));
  }
}

const same = (value: Sql): { readonly value: Sql; readonly json: Json } => ({ value, json: value });

function required(x: Typed | null): Typed {
  if (x === null) throw new Error('this aggregate needs a field');
  return x;
}

/** A bare column beside min or max comes from the row that holds it: so text kept for a decimal stays exact. */
function extreme(fn: 'min' | 'max', x: Typed): { readonly value: Sql; readonly json: Json } {
  const value = isTextDecimal(x.type, x.column) ? sql`${trusted(fn)}(CAST(${x.sql} AS REAL))` : sql`${trusted(fn)}(${x.sql})`;
  return { value, json: wireForm({ ...x, sql: value }, null) };
}

function total(fn: 'sum' | 'avg', isDistinct: boolean, x: Typed): { readonly value: Sql; readonly json: Json } {
  const argument = sql`${trusted(isDistinct ? 'DISTINCT ' : '')}${x.sql}`;
  if (x.type !== 'bigInteger' && x.type !== 'decimal') return same(sql`${trusted(fn)}(${argument})`);
  const exact = sql`${trusted(`exact_${fn}`)}(${argument})`;
  return { value: sql`CAST(${exact} AS REAL)`, json: exact };
}
