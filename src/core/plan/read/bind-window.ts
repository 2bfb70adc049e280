// Paging by cursor: the page after (or before) a position in the order, with one extra item that tells whether there are more.

import { invalidQuery } from '../../errors/service-error.js';
import type { ColumnType } from '../../schema/types/field-type.js';
import { scalarType } from '../names/bound-filter.js';
import type { BoundPage } from './bound-read.js';

export interface Window {
  readonly backwards: boolean;
  /** Which values of the position are null; null: from the start. */
  readonly nulls: readonly boolean[] | null;
}

/** A page by cursor is held in memory as a whole. */
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
