// Paging by cursor: the page behind (or before) a place in the order, with one item more than asked for, which tells whether it goes on.

import { invalidQuery } from '../errors/service-error.js';
import type { ColumnType } from '../schema/field-type.js';
import { type BoundPage, scalarType } from './bound.js';

export interface Window {
  readonly backwards: boolean;
  /** Which marks of the place are null; null: from the start. */
  readonly nulls: readonly boolean[] | null;
}

/** Beyond it a page would have to be held in memory whole. */
const MAX_LIMIT = 10_000;
const withoutPlace: ReadonlySet<ColumnType> = new Set(['binary', 'hash']);

export function bindWindow(page: BoundPage, { backwards, nulls }: Window): BoundPage {
  if (page.collection.primaryKey.length === 0)
    throw invalidQuery(`Collection "${page.collection.name}" has no key: it cannot be paged by cursor.`);
  if (page.limit === null || page.limit > MAX_LIMIT) throw invalidQuery(`Paging by cursor needs a "limit" of at most ${MAX_LIMIT}.`);
  const types = page.order.map((term) => scalarType(term.value));
  const unfit = types.find((type) => withoutPlace.has(type) || type.startsWith('geometry'));
  if (unfit !== undefined) throw invalidQuery(`A list sorted by a field of type ${unfit} cannot be paged by cursor.`);
  if (nulls !== null && nulls.length !== page.order.length) throw invalidQuery('The cursor does not belong to this query.');
  return {
    ...page,
    order: backwards ? page.order.map((term) => ({ ...term, descending: !term.descending })) : page.order,
    after: nulls === null ? null : { nulls },
    limit: page.limit + 1,
  };
}
