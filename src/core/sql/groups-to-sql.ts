// Groups and totals. Values through relations and values under rules are computed as plain columns of a derived table first, so that
// they group like any other.

import { aggregateType } from '../plan/bind-groups.js';
import type { BoundAggregate, BoundGroups, BoundHaving, GroupOrder, Scalar } from '../plan/bound.js';
import { balanced } from './balanced.js';
import { compareToSql, filterToSql } from './filter-to-sql.js';
import { orderClause } from './page-to-sql.js';
import { scalarToSql } from './scalar-to-sql.js';
import { guardScan } from './scan-guard.js';
import { columnSql, makeScope, tableAs, type Writer } from './scope.js';
import { empty, join, type Sql, sql, trusted } from './sql.js';
import type { DirectedSql, GroupsSql, Json, Syntax, Typed } from './syntax.js';

interface Total {
  readonly value: Sql;
  readonly json: Json;
}

type Pairs = readonly (readonly [string, Json])[];

export function groupsToSql(writer: Writer, groups: BoundGroups): Sql {
  return writer.syntax.groups(groupsInParts(writer, groups, writer.nextAlias(), null));
}

/** A grouping nested in an item: the related items are those whose `field` equals the item's `key`. */
export function nestedGroupsToSql(writer: Writer, groups: BoundGroups, link: { readonly field: string; readonly key: Sql }): Json {
  const alias = writer.nextAlias();
  const field = columnSql(writer, makeScope(alias), link.field);
  if (groups.groups.length === 0 || writer.syntax.looksOut) {
    return writer.syntax.nestedGroups(groupsInParts(writer, groups, alias, { kind: 'one', condition: sql`${field} = ${link.key}` }), null);
  }
  const parts = groupsInParts(writer, groups, alias, { kind: 'each', field });
  return writer.syntax.nestedGroups(parts, link.key);
}

/** Which items a nested grouping is about: those of one parent, or of each parent in groups of their own. */
type Parents = { readonly kind: 'one'; readonly condition: Sql } | { readonly kind: 'each'; readonly field: Sql };

function groupsInParts(writer: Writer, groups: BoundGroups, alias: string, parents: Parents | null): GroupsSql {
  const { syntax } = writer;
  const scope = makeScope(alias);
  const carrier = makeCarrier(writer, isPlain(groups));
  const parent = parents?.kind === 'each' ? carrier.carry(parents.field) : null;
  const value = (scalar: Scalar): Typed => {
    const typed = scalarToSql(writer, scope, scalar);
    return { ...typed, sql: carrier.carry(typed.sql) };
  };
  // A type the service does not know may have no equality to group by, but it has an order.
  const keyOfGroup = (scalar: Scalar): Typed => {
    const typed = scalarToSql(writer, scope, scalar);
    return { ...typed, sql: carrier.carry(typed.type === 'unknown' ? syntax.orderable(typed) : typed.sql) };
  };
  const keys = groups.groups.map((group) => keyOfGroup(group.value));
  const total = (aggregate: BoundAggregate): Total =>
    syntax.aggregate(aggregate.fn, aggregate.value === null ? null : value(aggregate.value));
  const totals = groups.aggregates.map((aggregate) => ({ aggregate, json: total(aggregate).json }));
  const having = groups.having === null ? null : havingToSql(writer, groups.having, total);
  const order = orderOf(writer, groups.order, keys, total);
  const filter = groups.filter === null ? null : filterToSql(writer, scope, groups.filter);
  const guard = guardScan(writer, alias, { collection: groups.collection, link: null, filter: groups.filter });
  const conditions = [parents?.kind === 'one' ? parents.condition : null, guard, filter].filter((condition) => condition !== null);
  const where = conditions.length === 0 ? empty : sql` WHERE ${join(conditions, ' AND ')}`;
  return {
    pairs: [...keys.map((key, index) => [groups.groups[index]?.as ?? '', syntax.json(key, null)] as const), ...totalPairs(writer, totals)],
    from: carrier.wrap(sql`${tableAs(writer, groups.collection, alias)}${where}`),
    parent,
    keys,
    readsItems: conditions.length > 0 || aggregatesOf(groups).some((aggregate) => aggregate.value !== null),
    having,
    order: keys.length === 0 ? [] : order,
    inOrderOfKeys: groups.order.every((term) => term.kind === 'group'),
    limit: keys.length === 0 ? null : groups.limit,
    offset: keys.length === 0 || groups.offset === null ? null : syntax.offset(groups.offset),
  };
}

interface Carrier {
  carry(value: Sql): Sql;
  wrap(table: Sql): Sql;
}

/** Carries computed values out of a derived table, where they are plain columns; `direct` leaves everything where it is. */
function makeCarrier(writer: Writer, direct: boolean): Carrier {
  if (direct) return { carry: (value) => value, wrap: (table) => table };
  const outer = trusted(writer.nextAlias());
  const columns: Sql[] = [];
  return {
    carry: (value) => {
      const name = writer.syntax.identifier(`c${columns.length}`);
      columns.push(sql`${value} AS ${name}`);
      return sql`${outer}.${name}`;
    },
    wrap: (table) => sql`(SELECT ${columns.length === 0 ? trusted('1') : join(columns, ', ')} FROM ${table}) ${outer}`,
  };
}

/** Everything after FROM. */
export function groupsSource(syntax: Syntax, groups: GroupsSql): Sql {
  return sql`${groupedSource(groups)}${orderClause(groups.order)}${syntax.limitOffset(groups.limit, groups.offset)}`;
}

/** The groups without their order and limit. */
export function groupedSource({ from, parent, keys, having }: GroupsSql): Sql {
  const by = [...(parent === null ? [] : [parent]), ...keys.map((key) => key.sql)];
  const groupBy = by.length === 0 ? empty : sql` GROUP BY ${join(by, ', ')}`;
  return sql`${from}${groupBy}${having === null ? empty : sql` HAVING ${having}`}`;
}

/** Only columns of the collection itself group as they are; totals over everything take any expression. */
function isPlain(groups: BoundGroups): boolean {
  if (groups.groups.length === 0) return true;
  const plain = (value: Scalar | null): boolean => value === null || (value.kind === 'column' && value.rule === null);
  return groups.groups.every((group) => plain(group.value)) && aggregatesOf(groups).every((aggregate) => plain(aggregate.value));
}

/** Those that are answered, and those that only choose or order the groups. */
function aggregatesOf({ aggregates, having, order }: BoundGroups): readonly BoundAggregate[] {
  const orders = order.flatMap((term) => (term.kind === 'aggregate' ? [term.aggregate] : []));
  return [...aggregates, ...(having === null ? [] : havingAggregates(having)), ...orders];
}

const havingAggregates = (having: BoundHaving): readonly BoundAggregate[] =>
  having.kind === 'compare' ? [having.aggregate] : having.filters.flatMap(havingAggregates);

/** `count: 5`, `avg: {price: 3}`: functions with fields become objects of their fields. */
function totalPairs(writer: Writer, totals: readonly { readonly aggregate: BoundAggregate; readonly json: Json }[]): Pairs {
  const byFunction = new Map<string, (readonly [string, Json])[]>();
  const pairs: (readonly [string, Json])[] = [];
  for (const { aggregate, json } of totals) {
    if (aggregate.as === null) pairs.push([aggregate.fn, json]);
    else byFunction.set(aggregate.fn, [...(byFunction.get(aggregate.fn) ?? []), [aggregate.as, json]]);
  }
  for (const [fn, fields] of byFunction) pairs.push([fn, writer.syntax.inlineObject(fields)]);
  return pairs;
}

function havingToSql(writer: Writer, having: BoundHaving, total: (aggregate: BoundAggregate) => { readonly value: Sql }): Sql {
  if (having.kind !== 'compare') {
    const and = having.kind === 'and';
    return balanced(
      having.filters.map((part) => havingToSql(writer, part, total)),
      and ? ' AND ' : ' OR ',
      '1=1',
    );
  }
  const x: Typed = { sql: total(having.aggregate).value, type: aggregateType(having.aggregate), column: null };
  return compareToSql(writer, x, { operator: having.operator, operand: having.operand, strict: false, lenient: false });
}

function orderOf(
  writer: Writer,
  order: readonly GroupOrder[],
  keys: readonly Typed[],
  total: (aggregate: BoundAggregate) => Total,
): readonly DirectedSql[] {
  return order.flatMap(({ descending, ...term }) => {
    if (term.kind === 'aggregate') return [{ value: total(term.aggregate).value, descending }];
    const key = keys[term.index];
    return key === undefined ? [] : [{ value: writer.syntax.orderable(key), descending }];
  });
}
