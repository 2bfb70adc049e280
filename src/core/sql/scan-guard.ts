// On databases that can interrupt a statement only from inside (SQLite), adds a condition to possibly slow scans that is always true and
// checks for cancellation. Lookups by index and comparisons of plain columns go without. It precedes the filter, which would otherwise
// short-circuit it.

import type { BoundFilter } from '../plan/names/bound-filter.js';
import { operators } from '../query/operators.js';
import type { Collection, ColumnField } from '../schema/schema.js';
import { columnTyped } from './scalar-to-sql.js';
import { makeScope, type StatementBuilder } from './scope.js';
import { empty, type Sql, sql } from './sql.js';

/** `link`: the fields by which the items are found; null: by the filter alone. */
export function guardScan(
  builder: StatementBuilder,
  alias: string,
  {
    collection,
    link,
    filter,
  }: { readonly collection: Collection; readonly link: readonly string[] | null; readonly filter: BoundFilter | null },
): Sql | null {
  const view = collection.table?.kind === 'view';
  const slow = view || (link !== null && !link.some((name) => isIndexed(collection, name))) || (filter !== null && isCostly(filter));
  if (!slow) return null;
  const scope = makeScope(alias);
  const columns = view ? columnsOf(collection) : keyOf(collection);
  return builder.syntax.scanGuard(
    columns.map((field) => columnTyped(builder, scope, field)),
    !view && collection.primaryKey.length === 1,
  );
}

/** For a view all columns are passed, so that the check runs in its innermost loop. */
const columnsOf = (collection: Collection): readonly ColumnField[] =>
  [...collection.fields.values()].filter((field) => field.kind === 'column');

function keyOf(collection: Collection): readonly ColumnField[] {
  const key = collection.fields.get(collection.primaryKey[0] ?? '');
  return key?.kind === 'column' ? [key] : columnsOf(collection).slice(0, 1);
}

export const andGuard = (guard: Sql | null): Sql => (guard === null ? empty : sql` AND ${guard}`);

export function isIndexed(collection: Collection, name: string): boolean {
  const field = collection.fields.get(name);
  return (
    (collection.primaryKey[0] === name && collection.table?.namedKey === undefined) || (field?.kind === 'column' && field.column.indexed)
  );
}

/** Whether testing an item costs more than reading it. */
function isCostly(filter: BoundFilter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.some(isCostly);
    case 'nothing':
      return false;
    case 'compare':
      return filter.value.kind !== 'column' || filter.value.rule !== null || operators[filter.operator].group === 'text';
    case 'exists':
    case 'exists-any':
      return true;
  }
}
