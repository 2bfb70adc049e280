// Selects existing items by key: conditions, guards, and the rows that a write needs to know.

import type { BoundFilter } from '../../plan/names/bound-filter.js';
import type { Collection } from '../../schema/schema.js';
import { columnSql, makeScope, type Scope, type StatementBuilder, tableAs } from '../scope.js';
import { balanced, empty, join, type Sql, sql } from '../sql.js';
import { startStatement } from '../start-statement.js';
import type { Syntax, Typed } from '../syntax.js';
import type { WriteSyntax } from '../write-syntax.js';
import { columnField, columnType, written } from '../written.js';

export interface WriteVendor {
  readonly syntax: Syntax;
  readonly write: WriteSyntax;
}

/** `a IN (…)` for one field; for several fields, and for a single tuple, conditions of equality: one per tuple of values. */
export function valuesCondition(
  builder: StatementBuilder,
  scope: Scope,
  collection: Collection,
  fields: readonly string[],
  lists: readonly (readonly unknown[])[],
): Sql {
  const [only, ...more] = fields.map((name) => typedColumn(builder, scope, collection, name));
  if (only === undefined) throw new Error(`collection ${collection.name} has no key`);
  if (more.length === 0 && lists.length !== 1)
    return isOneOf(
      builder.syntax,
      only,
      lists.map((list) => list[0]),
    );
  const each = lists.map((list) =>
    balanced(
      [only, ...more].map((column, index) => equals(builder, column, list[index])),
      ' AND ',
      '1=1',
    ),
  );
  return balanced(each, ' OR ', '1=0');
}

function typedColumn(builder: StatementBuilder, scope: Scope, collection: Collection, name: string): Typed {
  const field = columnField(collection, name);
  return { sql: columnSql(builder, scope, name), type: columnType(field), column: field.column };
}

const equals = ({ syntax }: StatementBuilder, column: Typed, value: unknown): Sql =>
  syntax.lookUp?.(column, written(value), false) ??
  sql`${syntax.comparable(column)} = ${syntax.param(written(value), column.type, column.column)}`;

const isOneOf = (syntax: Syntax, column: Typed, values: readonly unknown[]): Sql =>
  syntax.lookUp?.(column, written(values), true) ?? syntax.inList(column, written(values));

export const andGuard = (builder: StatementBuilder, scope: Scope, guard: BoundFilter | null): Sql =>
  guard === null ? empty : sql` AND ${builder.condition(scope, guard)}`;

export interface SelectByValues {
  readonly collection: Collection;
  /** The fields by which the items are found, and the tuples of their values. */
  readonly by: readonly string[];
  readonly lists: readonly (readonly unknown[])[];
  readonly guard: BoundFilter | null;
  /**
   * Locks the items until the transaction ends, in the order of their keys, so that concurrent transactions queue instead of deadlocking.
   */
  readonly locks: boolean;
  /** The fields to read. */
  readonly columns: readonly string[];
}

export function selectByValues(vendor: WriteVendor, { collection, by, lists, guard, locks, columns }: SelectByValues): Sql {
  const builder = startStatement(vendor.syntax);
  const scope = makeScope(builder.nextAlias());
  const list = join(
    columns.map((name) => columnSql(builder, scope, name)),
    ', ',
  );
  const where = sql`${valuesCondition(builder, scope, collection, by, lists)}${andGuard(builder, scope, guard)}`;
  // SQLite has a single writer and no row locks, so an order would only cost.
  const lock =
    locks && locksOf(vendor, collection) !== empty
      ? sql`${inOrderOfKeys(builder, scope, collection)}${locksOf(vendor, collection)}`
      : empty;
  return sql`SELECT ${list} FROM ${tableAs(builder, collection, scope.alias)} WHERE ${where}${lock}`;
}

const locksOf = ({ write }: WriteVendor, { table }: Collection): Sql => (table?.namedKey?.locks === false ? empty : write.forUpdate);

const inOrderOfKeys = (builder: StatementBuilder, scope: Scope, { primaryKey }: Collection): Sql =>
  primaryKey.length === 0
    ? empty
    : sql` ORDER BY ${join(
        primaryKey.map((name) => columnSql(builder, scope, name)),
        ', ',
      )}`;

/** The number of matching items. If it is lower than the number of values, some items do not exist or the guard hides them. */
export function countByValues(
  vendor: WriteVendor,
  { collection, by, lists, guard }: Pick<SelectByValues, 'collection' | 'by' | 'lists' | 'guard'>,
): Sql {
  const builder = startStatement(vendor.syntax);
  const scope = makeScope(builder.nextAlias());
  const where = sql`${valuesCondition(builder, scope, collection, by, lists)}${andGuard(builder, scope, guard)}`;
  return sql`SELECT COUNT(*) FROM ${tableAs(builder, collection, scope.alias)} WHERE ${where}`;
}

/** The highest value of `column` per tuple of values of `by`. */
export function highestByValues(
  vendor: WriteVendor,
  collection: Collection,
  { by, lists, column }: Pick<SelectByValues, 'by' | 'lists'> & { readonly column: string },
): Sql {
  const builder = startStatement(vendor.syntax);
  const scope = makeScope(builder.nextAlias());
  const group = join(
    by.map((name) => columnSql(builder, scope, name)),
    ', ',
  );
  const where = valuesCondition(builder, scope, collection, by, lists);
  return sql`SELECT ${group}, MAX(${columnSql(builder, scope, column)}) FROM ${tableAs(builder, collection, scope.alias)} WHERE ${where} GROUP BY ${group}`;
}

/** The key of the one item of a singleton. */
export function firstKey(vendor: WriteVendor, collection: Collection): Sql {
  const builder = startStatement(vendor.syntax);
  const scope = makeScope(builder.nextAlias());
  const keys = join(
    collection.primaryKey.map((name) => columnSql(builder, scope, name)),
    ', ',
  );
  return sql`SELECT ${keys} FROM ${tableAs(builder, collection, scope.alias)} ORDER BY ${keys}${vendor.syntax.limitOffset(1, null)}${locksOf(vendor, collection)}`;
}
