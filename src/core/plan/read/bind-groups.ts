// Binds aggregates and groups: totals over the items that a list with the same filter would contain.

import { invalidQuery } from '../../errors/service-error.js';
import { resultKey } from '../../query/field-ref.js';
import { type Aggregate, type GroupTerm, type Having, isAggregateFunction, type Query, type SortTerm } from '../../query/query.js';
import type { Collection } from '../../schema/schema.js';
import { fitsOperator } from '../../schema/types/operator-types.js';
import type { BindContext } from '../names/bind-context.js';
import { bindPath, bindSortPath } from '../names/bind-scalar.js';
import { type Scalar, scalarType } from '../names/bound-filter.js';
import { wholePath } from '../names/punctuated-names.js';
import { bindItems, bindLimit, type ItemsOptions } from './bind-page.js';
import { asBoundGroups, type BoundAggregate, type BoundGroup, type BoundGroups, type BoundHaving, type GroupOrder } from './bound-read.js';

export function bindGroups(context: BindContext, collection: Collection, query: Query, options: ItemsOptions): BoundGroups {
  const { depth } = options;
  const groups = query.groupBy.map(
    (term): BoundGroup => ({
      as: keyOf(collection, term),
      value: bindGroup(context, collection, term, depth),
    }),
  );
  const starred = query.aggregate.filter((aggregate) => aggregate.path === null).map((aggregate) => aggregate.fn);
  const aggregates = query.aggregate.map((aggregate) => bindAggregate(context, collection, aggregate, depth, query.aggregate, starred));
  return asBoundGroups({
    collection,
    filter: bindItems(context, collection, query, options),
    groups,
    aggregates,
    having: query.having === null ? null : bindHaving(context, collection, query.having, depth),
    order: bindGroupOrder(context, collection, query, groups, depth),
    limit: bindLimit(context, query.limit),
    offset: query.offset === null ? null : depth === 0 ? context.value(query.offset) : context.constant(query.offset),
    cacheable: context.budget.cacheable,
  });
}

/** A field whose name contains dots is answered under its whole name. */
function keyOf(collection: Collection, { path, as }: GroupTerm): string {
  const whole = wholePath(collection, path);
  return whole === path ? as : whole.map(resultKey).join('.');
}

function bindGroup(context: BindContext, collection: Collection, term: GroupTerm, depth: number): Scalar {
  const value = bindPath(context, collection, term.path, depth);
  const type = scalarType(value);
  if (type === 'json' || type === 'binary' || type.startsWith('geometry'))
    throw invalidQuery(`"${term.as}" is of type ${type} and cannot be grouped by.`);
  return value;
}

/** `*` alone answers `count: 5`; beside fields it answers as one of them. */
function bindAggregate(
  context: BindContext,
  collection: Collection,
  aggregate: Aggregate,
  depth: number,
  all: readonly Aggregate[],
  starred: readonly string[],
): BoundAggregate {
  const value = aggregate.path === null ? null : bindPath(context, collection, aggregate.path, depth);
  if (value !== null) checkFits(aggregate.fn, value);
  if (aggregate.path === null) {
    if (aggregate.fn !== 'count' && aggregate.fn !== 'countAll' && aggregate.fn !== 'countDistinct')
      throw invalidQuery(`"${aggregate.fn}" needs a field, not "*".`);
    const alone = all.every((other) => other.fn !== aggregate.fn || other.path === null);
    return { fn: aggregate.fn, value: null, as: alone ? null : '*' };
  }
  if (aggregate.fn === 'countAll' && starred.includes('countAll')) throw invalidQuery('"countAll" takes "*" only.');
  return { fn: aggregate.fn, value, as: pathName(wholePath(collection, aggregate.path)) };
}

const pathName = (path: NonNullable<Aggregate['path']>): string =>
  path.map((step) => (step.fn === null ? step.name : `${step.name}_${step.fn}`)).join('.');

const numeric: ReadonlySet<string> = new Set(['integer', 'bigInteger', 'float', 'decimal']);
const comparable: ReadonlySet<string> = new Set([...numeric, 'string', 'text', 'date', 'time', 'dateTime', 'timestamp', 'uuid', 'csv']);

function checkFits(fn: Aggregate['fn'], value: Scalar): void {
  const type = scalarType(value);
  const needsNumber = fn === 'sum' || fn === 'sumDistinct' || fn === 'avg' || fn === 'avgDistinct';
  if (needsNumber && !numeric.has(type)) throw invalidQuery(`"${fn}" needs a number, not a field of type ${type}.`);
  if ((fn === 'min' || fn === 'max') && !comparable.has(type)) throw invalidQuery(`"${fn}" cannot be taken of a field of type ${type}.`);
}

function bindHaving(context: BindContext, collection: Collection, having: Having, depth: number): BoundHaving {
  if (having.kind !== 'compare')
    return { kind: having.kind, filters: having.filters.map((filter) => bindHaving(context, collection, filter, depth)) };
  const aggregate = bindAggregate(context, collection, having.aggregate, depth, [], []);
  const type = aggregateType(aggregate);
  if (!fitsOperator(having.operator, type, false))
    throw invalidQuery(`Operator "${having.operator}" cannot be used on "${having.aggregate.fn}".`);
  return { kind: 'compare', aggregate, operator: having.operator, operand: having.slot === null ? null : context.value(having.slot) };
}

/** The type by which the result of an aggregate is compared. */
export function aggregateType(aggregate: BoundAggregate): ReturnType<typeof scalarType> {
  if (aggregate.fn.startsWith('count') || aggregate.value === null) return 'integer';
  const type = scalarType(aggregate.value);
  if (aggregate.fn === 'min' || aggregate.fn === 'max') return type;
  return type === 'bigInteger' || type === 'decimal' ? 'decimal' : 'float';
}

function bindGroupOrder(
  context: BindContext,
  collection: Collection,
  query: Query,
  groups: readonly BoundGroup[],
  depth: number,
): readonly GroupOrder[] {
  // Totals over all items are one row: an order has no effect there, but its names are checked like any other.
  if (groups.length === 0) {
    for (const term of query.sort) checkSort(context, collection, term, depth);
    return [];
  }
  const order = query.sort.map((term) => bindGroupSort(context, collection, term, groups, depth));
  groups.forEach((_, index) => {
    if (!order.some((term) => term.kind === 'group' && term.index === index)) order.push({ kind: 'group', index, descending: false });
  });
  return order;
}

function checkSort(context: BindContext, collection: Collection, term: SortTerm, depth: number): void {
  const [fn] = term.path;
  if (fn === undefined || fn.fn !== null || !isAggregateFunction(fn.name)) bindSortPath(context, collection, term, depth);
  else bindGroupSort(context, collection, term, [], depth);
}

function bindGroupSort(
  context: BindContext,
  collection: Collection,
  term: SortTerm,
  groups: readonly BoundGroup[],
  depth: number,
): GroupOrder {
  const name = pathName(wholePath(collection, term.path));
  const index = groups.findIndex((group) => group.as === name);
  if (index >= 0) return { kind: 'group', index, descending: term.descending };
  const [fn, ...rest] = term.path;
  if (fn !== undefined && fn.fn === null && isAggregateFunction(fn.name)) {
    const path = rest.length === 0 ? null : rest;
    return {
      kind: 'aggregate',
      aggregate: bindAggregate(context, collection, { fn: fn.name, path }, depth, [], []),
      descending: term.descending,
    };
  }
  bindPath(context, collection, term.path, depth);
  throw invalidQuery(`"${name}" is neither grouped by nor aggregated: it cannot be sorted by.`);
}
