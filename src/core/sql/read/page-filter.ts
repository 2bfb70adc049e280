// The filter of a page. Some planners use an index for one condition, then probe a list of related items for every row found, and sort
// last; the probes for rows beyond the limit are wasted. For a page in key order this file writes two steps instead: the keys that the
// index finds, as a list, and the probes along this list in order, until the limit is reached.

import type { BoundFilter } from '../../plan/names/bound-filter.js';
import type { BoundPage } from '../../plan/read/bound-read.js';
import type { Collection } from '../../schema/schema.js';
import { filterToSql, isPlainToOne, memberToSql } from '../filter-to-sql.js';
import { columnTyped } from '../scalar-to-sql.js';
import { andGuard, guardScan, isIndexed } from '../scan-guard.js';
import { columnSql, makeScope, type Scope, type StatementBuilder, tableAs } from '../scope.js';
import { join, type Sql, sql } from '../sql.js';

/** `nested`: the items are found by a link to their parent, which is better than any index here. */
export function pageFilterToSql(builder: StatementBuilder, scope: Scope, page: BoundPage, nested: boolean): Sql | null {
  if (page.filter === null) return null;
  const key = builder.syntax.probesListsFirst && !nested ? keyOfOrder(page) : null;
  const parts = partsOf(page.filter);
  const found = parts.filter((part) => isFoundByIndex(builder, page.collection, part));
  if (key === null || found.length === 0 || !parts.some((part) => looksThroughList(part, key)))
    return filterToSql(builder, scope, page.filter);
  const rest = parts.filter((part) => !found.includes(part));
  const keys = keysToSql(builder, page, key, found);
  return sql`${columnSql(builder, scope, key)} IN (${keys}) AND ${filterToSql(builder, scope, { kind: 'and', filters: rest })}`;
}

/** The key, if the page is ordered by nothing else and has a limit. */
function keyOfOrder({ collection, order, limit }: BoundPage): string | null {
  const [key, ...others] = collection.primaryKey;
  const [first, ...further] = order;
  if (key === undefined || others.length > 0 || further.length > 0 || limit === null) return null;
  return first?.value.kind === 'column' && first.value.field.name === key ? key : null;
}

const partsOf = (filter: BoundFilter): readonly BoundFilter[] => (filter.kind === 'and' ? filter.filters.flatMap(partsOf) : [filter]);

/** Only relations over the key qualify: an item whose key is null is not in the list of keys, but has no related items either. */
const looksThroughList = (filter: BoundFilter, key: string): boolean =>
  filter.kind === 'exists' && filter.relation.kind === 'o2m' && filter.relation.pairs[0].target === key && !filter.negated;

/** Whether an index on the column answers the condition. The vendor must compare the stored value itself and not an expression of it. */
function isFoundByIndex(builder: StatementBuilder, collection: Collection, filter: BoundFilter): boolean {
  if (isPlainToOne(filter)) return isIndexed(collection, filter.relation.field);
  if (filter.kind !== 'compare' || (filter.operator !== '_eq' && filter.operator !== '_in')) return false;
  const { value } = filter;
  if (value.kind !== 'column' || value.rule !== null || !isIndexed(collection, value.field.name)) return false;
  const stored = columnTyped(builder, makeScope(''), value.field);
  return builder.syntax.comparable(stored) === stored.sql;
}

function keysToSql(builder: StatementBuilder, { collection, filter }: BoundPage, key: string, found: readonly BoundFilter[]): Sql {
  const inner = makeScope(builder.nextAlias());
  const guard = guardScan(builder, inner.alias, { collection, link: null, filter });
  const conditions = found.map((part) => (isPlainToOne(part) ? memberToSql(builder, inner, part) : filterToSql(builder, inner, part)));
  return sql`SELECT ${columnSql(builder, inner, key)} FROM ${tableAs(builder, collection, inner.alias)} WHERE ${join(conditions, ' AND ')}${andGuard(guard)}`;
}
