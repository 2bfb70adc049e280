// Where a statement may take long, and its database can stop only what asks whether it should: a condition that asks, true otherwise.
// What an index answers at once, and comparisons of plain columns, go without; it stands before the filter, which would hide it.

import type { BoundFilter } from '../plan/bound.js';
import type { OperatorName } from '../query/operators.js';
import type { Collection, ColumnField } from '../schema/schema.js';
import { columnTyped } from './scalar-to-sql.js';
import { makeScope, type Writer } from './scope.js';
import { empty, type Sql, sql } from './sql.js';

/** `link`: the field by which the items are found; null when they are found by the filter alone. */
export function guardScan(
  writer: Writer,
  alias: string,
  { collection, link, filter }: { readonly collection: Collection; readonly link: string | null; readonly filter: BoundFilter | null },
): Sql | null {
  const view = collection.table?.kind === 'view';
  const slow = view || (link !== null && !isIndexed(collection, link)) || (filter !== null && isCostly(filter));
  if (!slow) return null;
  const scope = makeScope(alias);
  const columns = view ? columnsOf(collection) : keyOf(collection);
  return writer.syntax.scanGuard(
    columns.map((field) => columnTyped(writer, scope, field)),
    !view && collection.primaryKey.length === 1,
  );
}

/** What a view joins must all be named, or the question would be asked outside of its inner loops. */
const columnsOf = (collection: Collection): readonly ColumnField[] =>
  [...collection.fields.values()].filter((field) => field.kind === 'column');

function keyOf(collection: Collection): readonly ColumnField[] {
  const key = collection.fields.get(collection.primaryKey[0] ?? '');
  return key?.kind === 'column' ? [key] : columnsOf(collection).slice(0, 1);
}

export const andGuard = (guard: Sql | null): Sql => (guard === null ? empty : sql` AND ${guard}`);

export function isIndexed(collection: Collection, name: string): boolean {
  const field = collection.fields.get(name);
  return collection.primaryKey[0] === name || (field?.kind === 'column' && field.column.indexed);
}

/** Costs more per item than reading it. */
function isCostly(filter: BoundFilter): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.some(isCostly);
    case 'nothing':
      return false;
    case 'compare':
      return filter.value.kind !== 'column' || filter.value.rule !== null || searchesText(filter.operator);
    case 'exists':
    case 'exists-any':
      return true;
  }
}

const searchesText = (operator: OperatorName): boolean => /contains|_with$/.test(operator);
