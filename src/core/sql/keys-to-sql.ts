// Existing items by their keys: conditions, guards, and the plain rows that a write needs to know.

import type { BoundFilter } from '../plan/bound.js';
import type { Collection } from '../schema/schema.js';
import { balanced } from './balanced.js';
import { columnSql, makeScope, type Scope, tableAs, type Writer } from './scope.js';
import { empty, join, type Sql, sql } from './sql.js';
import { startWriting } from './start-writing.js';
import type { Syntax, Typed } from './syntax.js';
import type { WriteSyntax } from './write-syntax.js';
import { columnField, columnType, written } from './written.js';

export interface WriteVendor {
  readonly syntax: Syntax;
  readonly write: WriteSyntax;
}

/** Lists of values of the fields, in their order: `a IN (…)`, or one condition per list for several fields. */
export function valuesCondition(
  writer: Writer,
  scope: Scope,
  collection: Collection,
  fields: readonly string[],
  lists: readonly (readonly unknown[])[],
): Sql {
  const [only, ...more] = fields.map((name) => typedColumn(writer, scope, collection, name));
  if (only === undefined) throw new Error(`collection ${collection.name} has no key`);
  if (more.length === 0) return writer.syntax.inList(only, written(lists.map((list) => list[0])));
  const each = lists.map((list) =>
    balanced(
      [only, ...more].map((column, index) => equals(writer, column, list[index])),
      ' AND ',
      '1=1',
    ),
  );
  return balanced(each, ' OR ', '1=0');
}

function typedColumn(writer: Writer, scope: Scope, collection: Collection, name: string): Typed {
  const field = columnField(collection, name);
  return { sql: columnSql(writer, scope, name), type: columnType(field), column: field.column };
}

const equals = (writer: Writer, column: Typed, value: unknown): Sql =>
  sql`${writer.syntax.comparable(column)} = ${writer.syntax.param(written(value), column.type, column.column)}`;

export const andGuard = (writer: Writer, scope: Scope, guard: BoundFilter | null): Sql =>
  guard === null ? empty : sql` AND ${writer.condition(scope, guard)}`;

export interface SelectByValues {
  readonly collection: Collection;
  /** Fields the items are found by, and the lists of their values. */
  readonly by: readonly string[];
  readonly lists: readonly (readonly unknown[])[];
  readonly guard: BoundFilter | null;
  readonly locks: boolean;
  /** Fields whose values are wanted. */
  readonly columns: readonly string[];
}

export function selectByValues(vendor: WriteVendor, { collection, by, lists, guard, locks, columns }: SelectByValues): Sql {
  const writer = startWriting(vendor.syntax);
  const scope = makeScope(writer.nextAlias());
  const list = join(
    columns.map((name) => columnSql(writer, scope, name)),
    ', ',
  );
  const where = sql`${valuesCondition(writer, scope, collection, by, lists)}${andGuard(writer, scope, guard)}`;
  return sql`SELECT ${list} FROM ${tableAs(writer, collection, scope.alias)} WHERE ${where}${locks ? vendor.write.forUpdate : empty}`;
}

/** How many different items: what was asked for and is not there, or not the caller's, is missing from the number. */
export function countByValues(
  vendor: WriteVendor,
  { collection, by, lists, guard }: Pick<SelectByValues, 'collection' | 'by' | 'lists' | 'guard'>,
): Sql {
  const writer = startWriting(vendor.syntax);
  const scope = makeScope(writer.nextAlias());
  const where = sql`${valuesCondition(writer, scope, collection, by, lists)}${andGuard(writer, scope, guard)}`;
  return sql`SELECT COUNT(*) FROM ${tableAs(writer, collection, scope.alias)} WHERE ${where}`;
}

/** The highest value of `column` per value of `by`. */
export function highestByValue(vendor: WriteVendor, collection: Collection, by: string, values: readonly unknown[], column: string): Sql {
  const writer = startWriting(vendor.syntax);
  const scope = makeScope(writer.nextAlias());
  const group = columnSql(writer, scope, by);
  const where = valuesCondition(
    writer,
    scope,
    collection,
    [by],
    values.map((value) => [value]),
  );
  return sql`SELECT ${group}, MAX(${columnSql(writer, scope, column)}) FROM ${tableAs(writer, collection, scope.alias)} WHERE ${where} GROUP BY ${group}`;
}

/** The key of the one item of a singleton. */
export function firstKey(vendor: WriteVendor, collection: Collection): Sql {
  const writer = startWriting(vendor.syntax);
  const scope = makeScope(writer.nextAlias());
  const keys = join(
    collection.primaryKey.map((name) => columnSql(writer, scope, name)),
    ', ',
  );
  return sql`SELECT ${keys} FROM ${tableAs(writer, collection, scope.alias)} ORDER BY ${keys}${vendor.syntax.limitOffset(1, null)}${vendor.write.forUpdate}`;
}
