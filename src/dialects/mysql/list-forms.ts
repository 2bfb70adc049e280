// Lists inside an item. MariaDB cannot look out of a derived table but takes a LIMIT inside GROUP_CONCAT; MySQL 8 is the other way round.

import { groupedSource } from '../../core/sql/groups-to-sql.js';
import { derivedPage, orderClause, outerOrder, whereClause } from '../../core/sql/page-to-sql.js';
import { empty, join, type Sql, sql, trusted } from '../../core/sql/sql.js';
import type { GroupsSql, Json, PageSql, Syntax } from '../../core/sql/syntax.js';

export const MAX_ROWS = '18446744073709551615';

const bracketed = (list: Sql): Json => sql`CONCAT('[', IFNULL((${list}), ''), ']')`;

/** Inside GROUP_CONCAT nothing but plain numbers may stand after LIMIT. */
function innerLimit({ limit, offset }: Pick<PageSql, 'limit' | 'offset'>): Sql {
  if (limit === null && offset === null) return empty;
  return sql` LIMIT ${trusted(limit === null ? MAX_ROWS : String(limit))}${offset === null ? empty : sql` OFFSET ${offset}`}`;
}

/** MariaDB: `item` of the page's own table, cut inside the aggregate. */
export function limitedList(item: Json, page: PageSql): Json {
  const aggregate = sql`GROUP_CONCAT(${item}${orderClause(page.order)} SEPARATOR ','${innerLimit(page)})`;
  return bracketed(sql`SELECT ${aggregate} FROM ${page.from}${whereClause(page.where)}`);
}

/** MySQL: the page in a derived table, the aggregate around it. */
export const derivedList = (item: Json, syntax: Syntax, page: PageSql): Json =>
  bracketed(sql`SELECT GROUP_CONCAT(${item}${outerOrder(syntax, page)} SEPARATOR ',') FROM ${derivedPage(syntax, page)}`);

/** Each group as its text `j`, with what it is ordered by beside it. */
const selectGroups = (object: Json, { order }: GroupsSql, first: readonly Sql[]): Sql =>
  join([...first, sql`${object} AS j`, ...order.map(({ value }, index) => sql`${value} AS ${trusted(`o${index}`)}`)], ', ');

function concatGroups({ order }: GroupsSql, limit: Sql): Sql {
  const terms = order.map(({ descending }, index) => ({ value: trusted(`g.o${index}`), descending }));
  return sql`GROUP_CONCAT(g.j${orderClause(terms)} SEPARATOR ','${limit})`;
}

/** MariaDB: the groups of all parents once, then those of this parent. */
export function groupsOfAllParents(object: Json, groups: GroupsSql, parent: Sql, parentKey: Sql): Json {
  const select = selectGroups(object, groups, [sql`${parent} AS p`]);
  return bracketed(
    sql`SELECT ${concatGroups(groups, innerLimit(groups))} FROM (SELECT ${select} FROM ${groupedSource(groups)}) g WHERE g.p = ${parentKey}`,
  );
}

/** MySQL: the groups of this parent in a derived table. */
export function derivedGroups(object: Json, groups: GroupsSql): Json {
  const inner = sql`SELECT ${selectGroups(object, groups, [])} FROM ${groupedSource(groups)}${orderClause(groups.order)}${innerLimit(groups)}`;
  return bracketed(sql`SELECT ${concatGroups(groups, empty)} FROM (${inner}) g`);
}
