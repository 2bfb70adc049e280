// Totals on PostgreSQL: integers and floats answer numbers, bigInteger and decimal exact text without trailing zeros.

import type { AggregateFunction } from '../../core/query/query.js';
import { type Sql, sql, trusted } from '../../core/sql/sql.js';
import type { Json, Typed } from '../../core/sql/syntax.js';
import { wireForm } from './wire-form.js';

export function aggregateSql(fn: AggregateFunction, x: Typed | null): { readonly value: Sql; readonly json: Json } {
  switch (fn) {
    case 'count':
    case 'countAll':
    case 'countDistinct': {
      const what = x === null ? trusted('*') : fn === 'countDistinct' ? sql`DISTINCT ${distinct(x)}` : x.sql;
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

const distinct = (x: Typed): Sql => (x.type === 'json' ? sql`${x.sql}::text` : x.sql);

/** There is no min(uuid) and no max(uuid): their text orders alike. */
function extreme(fn: 'min' | 'max', x: Typed): { readonly value: Sql; readonly json: Json } {
  const argument = x.type === 'uuid' ? sql`${x.sql}::text` : x.sql;
  const value = sql`${trusted(fn)}(${argument})`;
  return { value, json: x.type === 'uuid' ? value : wireForm({ ...x, sql: value }, null) };
}

function total(fn: 'sum' | 'avg', isDistinct: boolean, x: Typed): { readonly value: Sql; readonly json: Json } {
  const isExact = x.type === 'bigInteger' || x.type === 'decimal';
  const argument = sql`${trusted(isDistinct ? 'DISTINCT ' : '')}${x.sql}${trusted(x.type === 'float' ? '::float8' : '')}`;
  const value = sql`${trusted(fn)}(${argument})`;
  if (isExact) return { value, json: sql`trim_scale(round(${value}, 16))::text` };
  return same(fn === 'avg' ? sql`${value}::float8` : value);
}
