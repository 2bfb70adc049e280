// Aggregates on PostgreSQL: totals of integers and floats are numbers; totals of bigInteger and decimal are exact text without trailing zeros.

import { aggregateBy } from '../../../core/sql/shared-syntax.js';
import { type Sql, sql, trusted } from '../../../core/sql/sql.js';
import type { Json } from '../../../core/sql/syntax.js';
import { exactType, isEnum } from '../types/vendor-facts.js';
import { isOrdered } from './parameters.js';
import { wireForm } from './wire-form.js';

const same = (value: Sql): { readonly value: Sql; readonly json: Json } => ({ value, json: value });

export const aggregateSql = aggregateBy({
  count: (what) => same(sql`count(${what})`),
  distinct: (x) => (isOrdered(x.type, x.column) ? x.sql : sql`${x.sql}::text`),

  /** PostgreSQL has no min(uuid) and max(uuid), so the text is compared, which has the same order. A domain over an enum is cast to the enum. */
  extreme(fn, x) {
    const argument =
      x.type === 'uuid'
        ? sql`${x.sql}::text`
        : x.column !== null && isEnum(x.column)
          ? sql`${x.sql}::${trusted(exactType(x.column))}`
          : x.sql;
    const value = sql`${trusted(fn)}(${argument})`;
    return { value, json: x.type === 'uuid' ? value : wireForm({ ...x, sql: value }, null) };
  },

  total(fn, isDistinct, x) {
    const isExact = x.type === 'bigInteger' || x.type === 'decimal';
    const argument = sql`${trusted(isDistinct ? 'DISTINCT ' : '')}${x.sql}${trusted(x.type === 'float' ? '::float8' : '')}`;
    const value = sql`${trusted(fn)}(${argument})`;
    if (isExact) return { value, json: sql`trim_scale(round(${value}, 16))::text` };
    return same(fn === 'avg' ? sql`${value}::float8` : value);
  },
});
