// Groups by a column that an index begins with: SQLite reads along the index, and every item at some page of the table, to have the
// groups in order without sorting. That pays where it stops at the limit, or where the index holds all that is read; else reading the table
// as it lies and sorting takes a third of the time. It cannot be told so, but an expression (`+x`) is in no index.

import { groupsSource } from '../../core/sql/groups-to-sql.js';
import { type Sql, sql } from '../../core/sql/sql.js';
import type { GroupsSql, Syntax } from '../../core/sql/syntax.js';
import { countedValues } from './vendor-facts.js';

/** Everything after FROM. */
export function groupingSql(syntax: Syntax, groups: GroupsSql): Sql {
  if (!groups.readsItems || mayStopEarly(groups)) return groupsSource(syntax, groups);
  return groupsSource(syntax, { ...groups, keys: groups.keys.map((key) => ({ ...key, sql: sql`+${key.sql}` })) });
}

function mayStopEarly({ keys, inOrderOfKeys, limit }: GroupsSql): boolean {
  const [key, ...others] = keys;
  if (key === undefined || limit === null || !inOrderOfKeys) return false;
  const values = others.length === 0 ? countedValues(key.column) : null;
  return values === null || values > limit;
}
