// The page layer: filter, order and limit over plain columns. The shape layer stands around it and repeats its order, because a
// derived table has none on every vendor.

import type { BoundOrder, BoundPage } from '../plan/bound.js';
import type { Collection } from '../schema/schema.js';
import { pageFilterToSql } from './page-filter.js';
import { placeToSql } from './place-to-sql.js';
import { scalarToSql } from './scalar-to-sql.js';
import { guardScan } from './scan-guard.js';
import { makeScope, type Scope, tableAs, type Writer } from './scope.js';
import { empty, join, type Sql, sql, trusted } from './sql.js';
import type { DirectedSql, OrderTerm, PageSql, Syntax } from './syntax.js';

/** By which field the items of a nested page are found. */
export interface PageLink {
  readonly field: string;
  readonly condition: Sql;
}

/** `shape` is the scope the shape was written in: its columns are those the page must carry. */
export function pageToSql(writer: Writer, page: BoundPage, shape: Scope, link: PageLink | null): PageSql {
  const scope = makeScope(shape.alias);
  const order = page.order.map((term, index) => orderTerm(writer, scope, term, freeName(page.collection, `_o${index}`)));
  const filter = pageFilterToSql(writer, scope, page, link !== null);
  const place = page.after === null ? null : placeToSql(writer, scope, page.order, page.after);
  const guard = guardScan(writer, shape.alias, { collection: page.collection, link: link?.field ?? null, filter: page.filter });
  const conditions = [link?.condition ?? null, guard, filter, place].filter((condition) => condition !== null);
  for (const term of order) if (!term.computed) shape.columns.add(term.carried);
  return {
    from: tableAs(writer, page.collection, shape.alias),
    alias: shape.alias,
    columns: [...shape.columns],
    where: conditions.length === 0 ? null : join(conditions, ' AND '),
    order,
    limit: page.limit,
    offset: page.offset === null ? null : writer.syntax.offset(page.offset),
  };
}

/** No column is called so. */
const freeName = ({ fields }: Pick<Collection, 'fields'>, name: string): string =>
  fields.has(name) ? freeName({ fields }, `_${name}`) : name;

function orderTerm(writer: Writer, scope: Scope, term: BoundOrder, free: string): OrderTerm {
  const typed = scalarToSql(writer, scope, term.value);
  const plain = term.value.kind === 'column' && term.value.rule === null;
  return {
    value: writer.syntax.orderable(typed),
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

/** The page as a derived table, ready to stand after FROM. */
export function derivedPage(syntax: Syntax, page: PageSql): Sql {
  const alias = trusted(page.alias);
  const columns = page.columns.map((name) => sql`${alias}.${syntax.identifier(name)}`);
  const computed = page.order.filter((term) => term.computed).map((term) => sql`${term.value} AS ${syntax.identifier(term.carried)}`);
  const list = [...columns, ...computed];
  const select = list.length === 0 ? trusted('1') : join(list, ', ');
  return sql`(SELECT ${select} FROM ${page.from}${whereClause(page.where)}${orderClause(page.order)}${syntax.limitOffset(page.limit, page.offset)}) ${alias}`;
}

/** The same order around the derived table, by what it carries. */
export const outerOrder = (syntax: Syntax, page: PageSql): Sql =>
  orderClause(page.order.map((term) => ({ value: carriedValue(syntax, page, term), descending: term.descending })));

/** A term of the order as it is known around the derived table. */
export const carriedValue = (syntax: Syntax, page: PageSql, term: OrderTerm): Sql =>
  term.computed ? sql`${trusted(page.alias)}.${syntax.identifier(term.carried)}` : term.value;
