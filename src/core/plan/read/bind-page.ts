// Binds which items a list contains: filter, search, keys and rules; their order, which always ends with the primary key; limit and offset.

import { findField, visibleFields } from '../../access/view.js';
import { invalidQuery } from '../../errors/service-error.js';
import type { Query, SortTerm } from '../../query/query.js';
import type { Collection, ColumnField } from '../../schema/schema.js';
import type { BindContext } from '../names/bind-context.js';
import { bindFilter, compare } from '../names/bind-filter.js';
import { bindFieldRules } from '../names/bind-rules.js';
import { bindSortPath } from '../names/bind-scalar.js';
import { allOf, type BoundFilter } from '../names/bound-filter.js';
import type { ValueSource } from '../names/value-source.js';
import type { BoundOrder, BoundPage } from './bound-read.js';

/** The items that a query is applied to. */
export interface ItemsOptions {
  readonly depth: number;
  /** The items that the caller may see here; null: all. */
  readonly visible: BoundFilter | null;
  /** A further condition: the requested keys. */
  readonly also: BoundFilter | null;
}

export interface PageOptions extends ItemsOptions {
  readonly sortField: string | null;
}

export function bindPage(context: BindContext, collection: Collection, query: Query, options: PageOptions): BoundPage {
  return {
    collection,
    filter: bindItems(context, collection, query, options),
    order: bindOrder(context, collection, query.sort, options),
    after: null,
    limit: bindLimit(context, query.limit),
    offset: query.offset === null ? null : options.depth === 0 ? context.value(query.offset) : context.constant(query.offset),
  };
}

/** The items that a query selects, before order and paging: what counts count. */
export const bindItems = (
  context: BindContext,
  collection: Collection,
  query: Query,
  { depth, visible, also }: ItemsOptions,
): BoundFilter | null => allOf([also, visible, bindConditions(context, collection, query, depth)]);

/** The conditions of the query itself. */
const bindConditions = (context: BindContext, collection: Collection, query: Query, depth: number): BoundFilter | null =>
  allOf([
    query.filter === null ? null : bindFilter(context, collection, query.filter, depth),
    query.search === null ? null : bindSearch(context, collection, context.value(query.search)),
  ]);

/** The conditions for a single item. An order has no effect there, but its names are checked like any other. */
export function bindConditionsOfOne(context: BindContext, collection: Collection, query: Query, depth: number): BoundFilter | null {
  for (const term of query.sort) bindSortPath(context, collection, term, depth);
  return bindConditions(context, collection, query, depth);
}

export function bindLimit(context: BindContext, limit: number | null): number | null {
  const { defaultLimit, maxLimit } = context.limits;
  const wanted = limit ?? defaultLimit;
  if (wanted === -1) return maxLimit === -1 ? null : maxLimit;
  if (maxLimit !== -1 && wanted > maxLimit) throw invalidQuery(`"limit" may be at most ${maxLimit}.`);
  return wanted;
}

function bindOrder(context: BindContext, collection: Collection, sort: readonly SortTerm[], options: PageOptions): readonly BoundOrder[] {
  const terms: BoundOrder[] = sort.map((term) => ({
    value: bindSortPath(context, collection, term, options.depth),
    descending: term.descending,
  }));
  if (terms.length === 0) terms.push(...ownOrder(context, collection, options.sortField ?? collection.sortField));
  // The key follows the direction of the last term, so that an index on that column, read forwards or backwards, provides the whole order.
  const descending = terms.at(-1)?.descending ?? false;
  for (const key of collection.primaryKey) {
    if (!terms.some(({ value }) => value.kind === 'column' && value.rule === null && value.field.name === key))
      terms.push(...keyOrder(collection, key, descending));
  }
  return terms;
}

/**
 * The default order of a collection or a relation. It is dropped if the caller may not see the field, whose values the order would reveal.
 */
function ownOrder(context: BindContext, collection: Collection, sortField: string | null): readonly BoundOrder[] {
  const field = sortField === null ? null : findField(context.view, collection, sortField, 'read');
  if (field?.kind !== 'column' || field.concealed) return [];
  return [{ value: { kind: 'column', field, rule: bindFieldRules(context, collection, field.name, 'read') }, descending: false }];
}

function keyOrder(collection: Collection, name: string, descending: boolean): readonly BoundOrder[] {
  const field = collection.fields.get(name);
  return field?.kind === 'column' ? [{ value: { kind: 'column', field, rule: null }, descending }] : [];
}

/** Matches fields that the caller may see on at least some items: texts that contain the term, and numbers and UUIDs that equal it. */
function bindSearch(context: BindContext, collection: Collection, text: ValueSource): BoundFilter {
  const filters = visibleFields(context.view, collection, 'read').flatMap((field) =>
    field.kind === 'column' && field.searchable && !field.concealed ? searchField(context, collection, field, text) : [],
  );
  return filters.length === 0 ? { kind: 'nothing' } : { kind: 'or', filters };
}

function searchField(context: BindContext, collection: Collection, field: ColumnField, text: ValueSource): readonly BoundFilter[] {
  const value = { kind: 'column', field, rule: bindFieldRules(context, collection, field.name, 'read') } as const;
  switch (field.type) {
    case 'string':
    case 'text':
      return [compare(value, '_icontains', text)];
    case 'integer':
    case 'bigInteger':
    case 'float':
    case 'decimal':
    case 'uuid':
      return [compare(value, '_eq', text, false, true)];
    default:
      return [];
  }
}
