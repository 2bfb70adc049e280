// The page layer of a read: filter, order and limit over plain columns, as a derived table. The shape layer (read-to-sql.ts) selects from
// it and computes the answer for the items of the page only. Because a derived table has no order on some vendors, the shape layer repeats
// the order; the page carries the columns that both need.

import type { BoundOrder, BoundPage } from '../../plan/read/bound-read.js';
import type { Collection } from '../../schema/schema.js';
import { scalarToSql } from '../scalar-to-sql.js';
import { guardScan } from '../scan-guard.js';
import { makeScope, type Scope, type StatementBuilder, tableAs } from '../scope.js';
import { empty, join, type Sql, sql, trusted } from '../sql.js';
import type { DirectedSql, OrderTerm, PageSql, Syntax } from '../syntax.js';
import { cursorToSql } from './cursor-to-sql.js';
import { pageFilterToSql } from './page-filter.js';

/** The fields by which the items of a nested page are found. */
export interface PageLink {
  readonly fields: readonly string[];
  readonly condition: Sql;
}

/** `shape` is the scope in which the shape was written; the page must carry the columns collected there. */
export function pageToSql(builder: StatementBuilder, page: BoundPage, shape: Scope, link: PageLink | null): PageSql {
  const scope = makeScope(shape.alias);
  const order = page.order.map((term, index) => orderTerm(builder, scope, term, freeName(page.collection, `_o${index}`)));
  const filter = pageFilterToSql(builder, scope, page, link !== null);
  const after = page.after === null ? null : cursorToSql(builder, scope, page.order, page.after);
  const guard = guardScan(builder, shape.alias, { collection: page.collection, link: link?.fields ?? null, filter: page.filter });
  const conditions = [link?.condition ?? null, guard, filter, after].filter((condition) => condition !== null);
  for (const term of order) if (!term.computed) shape.columns.add(term.carried);
  return {
    from: tableAs(builder, page.collection, shape.alias),
    alias: shape.alias,
    columns: [...shape.columns],
    where: conditions.length === 0 ? null : join(conditions, ' AND '),
    order,
    limit: page.limit,
    offset: page.offset === null ? null : builder.syntax.offset(page.offset),
  };
}

/** A name that no column has. */
const freeName = ({ fields }: Pick<Collection, 'fields'>, name: string): string =>
  fields.has(name) ? freeName({ fields }, `_${name}`) : name;

function orderTerm(builder: StatementBuilder, scope: Scope, term: BoundOrder, free: string): OrderTerm {
  const typed = scalarToSql(builder, scope, term.value);
  const plain = term.value.kind === 'column' && term.value.rule === null;
  return {
    value: builder.syntax.orderable(typed),
    descending: term.descending,
    type: typed.type,
    carried: plain && term.value.kind === 'column' ? term.value.field.name : free,
    computed: !plain,
  };
}

export const whereClause = (where: Sql | null): Sql => (where === null ? empty : sql` WHERE ${where}`);

/** The order inside the page. */
export function orderClause(order: readonly DirectedSql[]): Sql {
  if (order.length === 0) return empty;
  return sql` ORDER BY ${join(
    order.map((term) => directed(term.value, term.descending)),
    ', ',
  )}`;
}

const directed = (value: Sql, descending: boolean): Sql => (descending ? sql`${value} DESC` : value);

/** The page as a derived table, for use after FROM. */
export function derivedPage(syntax: Syntax, page: PageSql): Sql {
  const alias = trusted(page.alias);
  const columns = page.columns.map((name) => sql`${alias}.${syntax.identifier(name)}`);
  const computed = page.order.filter((term) => term.computed).map((term) => sql`${term.value} AS ${syntax.identifier(term.carried)}`);
  const list = [...columns, ...computed];
  const select = list.length === 0 ? trusted('1') : join(list, ', ');
  return sql`(SELECT ${select} FROM ${page.from}${whereClause(page.where)}${orderClause(page.order)}${syntax.limitOffset(page.limit, page.offset)}) ${alias}`;
}

/** The same order outside of the derived table, by the columns it carries. */
export const outerOrder = (syntax: Syntax, page: PageSql): Sql =>
  orderClause(page.order.map((term) => ({ value: carriedValue(syntax, page, term), descending: term.descending })));

/** A term of the order as seen outside of the derived table. */
export const carriedValue = (syntax: Syntax, page: PageSql, term: OrderTerm): Sql =>
  term.computed ? sql`${trusted(page.alias)}.${syntax.identifier(term.carried)}` : term.value;
