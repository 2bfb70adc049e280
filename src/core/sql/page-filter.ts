// The filter of a page. Lists of related items are dear to look through, and a database that looks through them for every item an index
// finds, and sorts what is left, does it in vain for all items behind the limit. There a page in the order of its key is found in two steps:
// the keys of the items the index finds, as a list, and along this list, in order, the related items, until there are enough.

import type { BoundFilter, BoundPage } from '../plan/bound.js';
import type { Collection } from '../schema/schema.js';
import { filterToSql, isPlainToOne, memberToSql } from './filter-to-sql.js';
import { columnTyped } from './scalar-to-sql.js';
import { andGuard, guardScan, isIndexed } from './scan-guard.js';
import { columnSql, makeScope, type Scope, tableAs, type Writer } from './scope.js';
import { join, type Sql, sql } from './sql.js';

/** `nested`: found by a link, which is better than any index here. */
export function pageFilterToSql(writer: Writer, scope: Scope, page: BoundPage, nested: boolean): Sql | null {
  if (page.filter === null) return null;
  const key = writer.syntax.asksListsFirst && !nested ? keyOfOrder(page) : null;
  const parts = partsOf(page.filter);
  const found = parts.filter((part) => isFoundByIndex(writer, page.collection, part));
  if (key === null || found.length === 0 || !parts.some((part) => looksThroughList(part, key)))
    return filterToSql(writer, scope, page.filter);
  const rest = parts.filter((part) => !found.includes(part));
  const keys = keysToSql(writer, page, key, found);
  return sql`${columnSql(writer, scope, key)} IN (${keys}) AND ${filterToSql(writer, scope, { kind: 'and', filters: rest })}`;
}

/** The key, when a page is in the order of nothing else and ends at a limit. */
function keyOfOrder({ collection, order, limit }: BoundPage): string | null {
  const [key, ...others] = collection.primaryKey;
  const [first, ...further] = order;
  if (key === undefined || others.length > 0 || further.length > 0 || limit === null) return null;
  return first?.value.kind === 'column' && first.value.field.name === key ? key : null;
}

const partsOf = (filter: BoundFilter): readonly BoundFilter[] => (filter.kind === 'and' ? filter.filters.flatMap(partsOf) : [filter]);

/** Of such items only: one without a key, which no list of keys holds, has no related items either. */
const looksThroughList = (filter: BoundFilter, key: string): boolean =>
  filter.kind === 'exists' && filter.relation.kind === 'o2m' && filter.relation.key === key && !filter.negated;

/** By an index on the column: where the vendor compares what is stored, and not what it makes of it. */
function isFoundByIndex(writer: Writer, collection: Collection, filter: BoundFilter): boolean {
  if (isPlainToOne(filter)) return isIndexed(collection, filter.relation.field);
  if (filter.kind !== 'compare' || (filter.operator !== '_eq' && filter.operator !== '_in')) return false;
  const { value } = filter;
  if (value.kind !== 'column' || value.rule !== null || !isIndexed(collection, value.field.name)) return false;
  const stored = columnTyped(writer, makeScope(''), value.field);
  return writer.syntax.comparable(stored) === stored.sql;
}

function keysToSql(writer: Writer, { collection, filter }: BoundPage, key: string, found: readonly BoundFilter[]): Sql {
  const inner = makeScope(writer.nextAlias());
  const guard = guardScan(writer, inner.alias, { collection, link: null, filter });
  const conditions = found.map((part) => (isPlainToOne(part) ? memberToSql(writer, inner, part) : filterToSql(writer, inner, part)));
  return sql`SELECT ${columnSql(writer, inner, key)} FROM ${tableAs(writer, collection, inner.alias)} WHERE ${join(conditions, ' AND ')}${andGuard(guard)}`;
}
