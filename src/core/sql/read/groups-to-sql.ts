// Writes groups and totals. Values through relations and values under rules are first computed as plain columns of a derived table, so that
// they can be grouped like any other column.

import type { Scalar } from '../../plan/names/bound-filter.js';
import { aggregateType } from '../../plan/read/bind-groups.js';
import type { BoundAggregate, BoundGroups, BoundHaving, GroupOrder } from '../../plan/read/bound-read.js';
import type { OneToMany } from '../../schema/schema.js';
import { compareToSql, filterToSql } from '../filter-to-sql.js';
import { linkToSql, scalarToSql } from '../scalar-to-sql.js';
import { guardScan } from '../scan-guard.js';
import { columnSql, makeScope, type Scope, type StatementBuilder, tableAs } from '../scope.js';
import { balanced, empty, join, type Sql, sql, trusted } from '../sql.js';
import type { DirectedSql, GroupsSql, Json, Syntax, Typed } from '../syntax.js';
import { orderClause } from './page-to-sql.js';

interface Total {
  readonly value: Sql;
  readonly json: Json;
}

type Pairs = readonly (readonly [string, Json])[];

export function groupsToSql(builder: StatementBuilder, groups: BoundGroups): Sql {
  return builder.syntax.groups(groupsInParts(builder, groups, makeScope(builder.nextAlias()), null));
}

/** A grouping over the items of one list of the item at `scope`. */
export function nestedGroupsToSql(builder: StatementBuilder, scope: Scope, groups: BoundGroups, relation: OneToMany): Json {
  const inner = makeScope(builder.nextAlias());
  if (groups.groups.length === 0 || builder.syntax.allowsLateral) {
    const condition = linkToSql(builder, inner, scope, relation);
    return builder.syntax.nestedGroups(groupsInParts(builder, groups, inner, { kind: 'one', condition }), []);
  }
  const fields = relation.pairs.map(({ column }) => columnSql(builder, inner, column));
  const parts = groupsInParts(builder, groups, inner, { kind: 'each', fields });
  return builder.syntax.nestedGroups(
    parts,
    relation.pairs.map(({ target }) => columnSql(builder, scope, target)),
  );
}

/** The items of a nested grouping: those of one parent, or those of all parents with the parent as an additional group key. */
type Parents = { readonly kind: 'one'; readonly condition: Sql } | { readonly kind: 'each'; readonly fields: readonly Sql[] };

function groupsInParts(builder: StatementBuilder, groups: BoundGroups, scope: Scope, parents: Parents | null): GroupsSql {
  const { syntax } = builder;
  const { alias } = scope;
  const carrier = makeCarrier(builder, isPlain(groups));
  const parent = parents?.kind === 'each' ? parents.fields.map((field) => carrier.carry(field)) : [];
  const value = (scalar: Scalar): Typed => {
    const typed = scalarToSql(builder, scope, scalar);
    return { ...typed, sql: carrier.carry(typed.sql) };
  };
  const keyOfGroup = (scalar: Scalar): Typed => {
    const typed = scalarToSql(builder, scope, scalar);
    return { ...typed, sql: carrier.carry(syntax.groupable(typed)) };
  };
  const keys = groups.groups.map((group) => keyOfGroup(group.value));
  const total = (aggregate: BoundAggregate): Total =>
    syntax.aggregate(aggregate.fn, aggregate.value === null ? null : value(aggregate.value));
  const totals = groups.aggregates.map((aggregate) => ({ aggregate, json: total(aggregate).json }));
  const having = groups.having === null ? null : havingToSql(builder, groups.having, total);
  const order = orderOf(builder, groups.order, keys, total);
  const filter = groups.filter === null ? null : filterToSql(builder, scope, groups.filter);
  const guard = guardScan(builder, alias, { collection: groups.collection, link: null, filter: groups.filter });
  const conditions = [parents?.kind === 'one' ? parents.condition : null, guard, filter].filter((condition) => condition !== null);
  const where = conditions.length === 0 ? empty : sql` WHERE ${join(conditions, ' AND ')}`;
  return {
    pairs: [...keys.map((key, index) => [groups.groups[index]?.as ?? '', syntax.json(key, null)] as const), ...totalPairs(builder, totals)],
    from: carrier.wrap(sql`${tableAs(builder, groups.collection, alias)}${where}`),
    parent,
    keys,
    columns: scope.columns,
    table: groups.collection.table,
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

/** Wraps the table in a derived table with the computed values as columns; `direct` leaves everything in place. */
function makeCarrier(builder: StatementBuilder, direct: boolean): Carrier {
  if (direct) return { carry: (value) => value, wrap: (table) => table };
  const outer = trusted(builder.nextAlias());
  const columns: Sql[] = [];
  return {
    carry: (value) => {
      const name = builder.syntax.identifier(`c${columns.length}`);
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

/** The groups without order and limit. */
export function groupedSource({ from, parent, keys, having }: GroupsSql): Sql {
  const by = [...parent, ...keys.map((key) => key.sql)];
  const groupBy = by.length === 0 ? empty : sql` GROUP BY ${join(by, ', ')}`;
  return sql`${from}${groupBy}${having === null ? empty : sql` HAVING ${having}`}`;
}

/** Only columns of the collection itself can be grouped in place; totals over all items take any expression. */
function isPlain(groups: BoundGroups): boolean {
  if (groups.groups.length === 0) return true;
  const plain = (value: Scalar | null): boolean => value === null || (value.kind === 'column' && value.rule === null);
  return groups.groups.every((group) => plain(group.value)) && aggregatesOf(groups).every((aggregate) => plain(aggregate.value));
}

/** The aggregates that are answered, and those that only filter or order the groups. */
function aggregatesOf({ aggregates, having, order }: BoundGroups): readonly BoundAggregate[] {
  const orders = order.flatMap((term) => (term.kind === 'aggregate' ? [term.aggregate] : []));
  return [...aggregates, ...(having === null ? [] : havingAggregates(having)), ...orders];
}

const havingAggregates = (having: BoundHaving): readonly BoundAggregate[] =>
  having.kind === 'compare' ? [having.aggregate] : having.filters.flatMap(havingAggregates);

/** `count: 5`, `avg: {price: 3}`: a function with fields becomes an object. */
function totalPairs(builder: StatementBuilder, totals: readonly { readonly aggregate: BoundAggregate; readonly json: Json }[]): Pairs {
  const byFunction = new Map<string, (readonly [string, Json])[]>();
  const pairs: (readonly [string, Json])[] = [];
  for (const { aggregate, json } of totals) {
    if (aggregate.as === null) pairs.push([aggregate.fn, json]);
    else byFunction.set(aggregate.fn, [...(byFunction.get(aggregate.fn) ?? []), [aggregate.as, json]]);
  }
  for (const [fn, fields] of byFunction) pairs.push([fn, builder.syntax.inlineObject(fields)]);
  return pairs;
}

function havingToSql(builder: StatementBuilder, having: BoundHaving, total: (aggregate: BoundAggregate) => { readonly value: Sql }): Sql {
  if (having.kind !== 'compare') {
    const and = having.kind === 'and';
    return balanced(
      having.filters.map((part) => havingToSql(builder, part, total)),
      and ? ' AND ' : ' OR ',
      '1=1',
    );
  }
  const x: Typed = { sql: total(having.aggregate).value, type: aggregateType(having.aggregate), column: null };
  return compareToSql(builder, x, { operator: having.operator, operand: having.operand, strict: false, lenient: false });
}

function orderOf(
  builder: StatementBuilder,
  order: readonly GroupOrder[],
  keys: readonly Typed[],
  total: (aggregate: BoundAggregate) => Total,
): readonly DirectedSql[] {
  return order.flatMap(({ descending, ...term }) => {
    if (term.kind === 'aggregate') return [{ value: total(term.aggregate).value, descending }];
    const key = keys[term.index];
    return key === undefined ? [] : [{ value: builder.syntax.orderable(key), descending }];
  });
}
