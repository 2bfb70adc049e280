// Which items a list holds: filter, search, keys and rules; their order, which always ends in the key; limit and offset.

import { findField, visibleFields } from '../access/view.js';
import { invalidQuery } from '../errors/service-error.js';
import type { Query, SortTerm } from '../query/query.js';
import type { Collection, ColumnField } from '../schema/schema.js';
import type { BindContext } from './bind-context.js';
import { bindFilter, compare } from './bind-filter.js';
import { bindFieldRules } from './bind-rules.js';
import { bindPath } from './bind-scalar.js';
import { allOf, type BoundFilter, type BoundOrder, type BoundPage } from './bound.js';
import type { ValueSource } from './value-source.js';

/** Which items a query is put to. */
export interface ItemsOptions {
  readonly depth: number;
  /** The items the caller may see here. */
  readonly visible: BoundFilter | null;
  /** Further conditions: keys asked for. */
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

/** The items a query means, before order and paging: what counts count. */
export const bindItems = (
  context: BindContext,
  collection: Collection,
  query: Query,
  { depth, visible, also }: ItemsOptions,
): BoundFilter | null => allOf([also, visible, bindAsked(context, collection, query, depth)]);

/** What the query itself asks of items. */
const bindAsked = (context: BindContext, collection: Collection, query: Query, depth: number): BoundFilter | null =>
  allOf([
    query.filter === null ? null : bindFilter(context, collection, query.filter, depth),
    query.search === null ? null : bindSearch(context, collection, context.value(query.search)),
  ]);

/** The same of a single item: an order decides nothing there, but its names are looked up like any other. */
export function bindAskedOfOne(context: BindContext, collection: Collection, query: Query, depth: number): BoundFilter | null {
  for (const { path } of query.sort) bindPath(context, collection, path, depth);
  return bindAsked(context, collection, query, depth);
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
    value: bindPath(context, collection, term.path, options.depth),
    descending: term.descending,
  }));
  if (terms.length === 0) terms.push(...ownOrder(context, collection, options.sortField ?? collection.sortField));
  // Ties go the way of the last term: an index on it, read forwards or backwards, then holds the whole order.
  const descending = terms.at(-1)?.descending ?? false;
  for (const key of collection.primaryKey) {
    if (!terms.some(({ value }) => value.kind === 'column' && value.rule === null && value.field.name === key))
      terms.push(...keyOrder(collection, key, descending));
  }
  return terms;
}

/** The order a collection or a relation gives itself; one by a field the caller may not see would tell of its values. */
function ownOrder(context: BindContext, collection: Collection, sortField: string | null): readonly BoundOrder[] {
  const field = sortField === null ? null : findField(context.view, collection, sortField, 'read');
  if (field?.kind !== 'column' || field.concealed) return [];
  return [{ value: { kind: 'column', field, rule: bindFieldRules(context, collection, field.name, 'read') }, descending: false }];
}

function keyOrder(collection: Collection, name: string, descending: boolean): readonly BoundOrder[] {
  const field = collection.fields.get(name);
  return field?.kind === 'column' ? [{ value: { kind: 'column', field, rule: null }, descending }] : [];
}

/** Text contains it, numbers and uuids equal it, in every field the caller may see whole or in part; nothing else is searched. */
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
