// Lists inside an item. In MariaDB a derived table cannot refer to outer columns, but GROUP_CONCAT takes a LIMIT; in MySQL 8 it is the other
// way round. On MariaDB, nested groups are therefore computed for all parents at once.

import { groupedSource } from '../../../core/sql/read/groups-to-sql.js';
import { derivedPage, orderClause, outerOrder, whereClause } from '../../../core/sql/read/page-to-sql.js';
import { empty, join, type Sql, sql, trusted } from '../../../core/sql/sql.js';
import type { GroupsSql, Json, PageSql, Syntax } from '../../../core/sql/syntax.js';

export const MAX_ROWS = '18446744073709551615';

const bracketed = (list: Sql): Json => sql`CONCAT('[', IFNULL((${list}), ''), ']')`;

/** GROUP_CONCAT takes only literal numbers after LIMIT, no parameters. */
function innerLimit({ limit, offset }: Pick<PageSql, 'limit' | 'offset'>): Sql {
  if (limit === null && offset === null) return empty;
  return sql` LIMIT ${trusted(limit === null ? MAX_ROWS : String(limit))}${offset === null ? empty : sql` OFFSET ${offset}`}`;
}

/** MariaDB: the list from the table of the page, limited inside the aggregate. */
export function limitedList(item: Json, page: PageSql): Json {
  const aggregate = sql`GROUP_CONCAT(${item}${orderClause(page.order)} SEPARATOR ','${innerLimit(page)})`;
  return bracketed(sql`SELECT ${aggregate} FROM ${page.from}${whereClause(page.where)}`);
}

/** MySQL: the page in a derived table, and the aggregate around it. */
export const derivedList = (item: Json, syntax: Syntax, page: PageSql): Json =>
  bracketed(sql`SELECT GROUP_CONCAT(${item}${outerOrder(syntax, page)} SEPARATOR ',') FROM ${derivedPage(syntax, page)}`);

/** Selects each group as its text `j`, with the values of its order beside it. */
const selectGroups = (object: Json, { order }: GroupsSql, first: readonly Sql[]): Sql =>
  join([...first, sql`${object} AS j`, ...order.map(({ value }, index) => sql`${value} AS ${trusted(`o${index}`)}`)], ', ');

function concatGroups({ order }: GroupsSql, limit: Sql): Sql {
  const terms = order.map(({ descending }, index) => ({ value: trusted(`g.o${index}`), descending }));
  return sql`GROUP_CONCAT(g.j${orderClause(terms)} SEPARATOR ','${limit})`;
}

/** MariaDB: computes the groups of all parents, then takes those of this parent. */
export function groupsOfAllParents(object: Json, groups: GroupsSql, parentKey: readonly Sql[]): Json {
  const nameOf = (index: number): Sql => trusted(index === 0 ? 'p' : `p${index}`);
  const select = selectGroups(
    object,
    groups,
    groups.parent.map((column, index) => sql`${column} AS ${nameOf(index)}`),
  );
  const isOfParent = join(
    parentKey.map((key, index) => sql`g.${nameOf(index)} = ${key}`),
    ' AND ',
  );
  return bracketed(
    sql`SELECT ${concatGroups(groups, innerLimit(groups))} FROM (SELECT ${select} FROM ${groupedSource(groups)}) g WHERE ${isOfParent}`,
  );
}

/** MySQL: the groups of this parent in a derived table. */
export function derivedGroups(object: Json, groups: GroupsSql): Json {
  const inner = sql`SELECT ${selectGroups(object, groups, [])} FROM ${groupedSource(groups)}${orderClause(groups.order)}${innerLimit(groups)}`;
  return bracketed(sql`SELECT ${concatGroups(groups, empty)} FROM (${inner}) g`);
}
