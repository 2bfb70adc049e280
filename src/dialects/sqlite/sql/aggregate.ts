// Aggregates and groups on SQLite. Totals of integers and floats are numbers; totals of bigInteger and decimal are exact text, computed by the
// functions that every connection registers (driver/functions.ts).

import { groupsSource } from '../../../core/sql/read/groups-to-sql.js';
import { aggregateBy } from '../../../core/sql/shared-syntax.js';
import { type Sql, sql, trusted } from '../../../core/sql/sql.js';
import type { GroupsSql, Json, Syntax } from '../../../core/sql/syntax.js';
import { countedValues } from '../types/vendor-facts.js';
import { orderable } from './moment-sql.js';
import { wireForm } from './wire-form.js';

const same = (value: Sql): { readonly value: Sql; readonly json: Json } => ({ value, json: value });

export const aggregateSql = aggregateBy({
  count: (what) => same(sql`count(${what})`),
  distinct: (x) => x.sql,

  /** SQLite takes a bare column beside min or max from the row that has the extreme, so a decimal stored as text stays exact. */
  extreme(fn, x) {
    const value = sql`${trusted(fn)}(${orderable(x)})`;
    return { value, json: wireForm({ ...x, sql: value }, null) };
  },

  total(fn, isDistinct, x) {
    const argument = sql`${trusted(isDistinct ? 'DISTINCT ' : '')}${x.sql}`;
    if (x.type !== 'bigInteger' && x.type !== 'decimal') return same(sql`${trusted(fn)}(${argument})`);
    const exact = sql`${trusted(`exact_${fn}`)}(${argument})`;
    return { value: sql`CAST(${exact} AS REAL)`, json: exact };
  },
});

/** Everything after FROM of a grouping. */
export function groupingSql(syntax: Syntax, groups: GroupsSql): Sql {
  if (!isWalkWasteful(groups)) return groupsSource(syntax, groups);
  return groupsSource(syntax, { ...groups, keys: groups.keys.map((key) => ({ ...key, sql: sql`+${key.sql}` })) });
}

/**
 * To get the groups in order without sorting, SQLite tends to walk an index that begins with the key, and looks up every row in the table, each on
 * another page: for 100,000 rows about 98,000 page reads, where a scan of the table takes 17,000. `GROUP BY +key` rules that plan out, because an
 * expression is in no index. What remains is a scan, or a search by the filter, and neither reads more pages than the walk. The hint would cost more
 * than it saves where the walk is cheap, so it is not given if
 * - the statement reads only the key, and the rowid, which every index contains;
 * - an index contains the key together with another column that the statement reads;
 * - the walk may end early at the limit. The number of groups is that of the last ANALYZE, which counts only if the limit is at least twice as high.
 */
function isWalkWasteful(groups: GroupsSql): boolean {
  const { columns: own = [], indexes = [] } = groups.table ?? {};
  const keys = groups.keys.map(({ column }) => column?.name ?? '');
  const rowid = own.find((column) => column.autoIncrement)?.name;
  const others = [...groups.columns].filter((column) => !keys.includes(column) && column !== rowid);
  // A computed key is in no index.
  if (others.length === 0 || !keys.every((key) => groups.columns.has(key)) || mayEndEarly(groups)) return false;
  const contains = (columns: readonly string[], some: readonly string[]): boolean => columns.some((column) => some.includes(column));
  return !indexes.some(({ columns }) => contains(columns, keys) && contains(columns, others));
}

function mayEndEarly({ keys, inOrderOfKeys, limit }: GroupsSql): boolean {
  const [key, ...others] = keys;
  if (key === undefined || limit === null || !inOrderOfKeys) return false;
  const values = others.length === 0 ? countedValues(key.column) : null;
  return values === null || values * 2 > limit;
}
