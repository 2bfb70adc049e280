// Updates and deletes of existing rows. The guard is part of the statement; the number of affected rows tells whether all were allowed.

import type { BoundFilter } from '../../plan/names/bound-filter.js';
import type { ItemKey } from '../../plan/write/item-key.js';
import type { Collection, ColumnField } from '../../schema/schema.js';
import { columnSql, makeScope, type Scope, type StatementBuilder, tableAs } from '../scope.js';
import { join, type Sql, sql } from '../sql.js';
import { startStatement } from '../start-statement.js';
import type { WriteCell } from '../write-syntax.js';
import { columnField, columnType, type RowValues, tableOf, written } from '../written.js';
import { andGuard, valuesCondition, type WriteVendor } from './keys-to-sql.js';

export interface KeyedRow {
  readonly key: ItemKey;
  readonly values: RowValues;
}

export interface UpdateStatement {
  readonly statement: Sql;
  /** The number of rows it must affect. */
  readonly count: number;
}

/** Sets the same values for every key. */
export function updateSame(
  vendor: WriteVendor,
  collection: Collection,
  keys: readonly ItemKey[],
  values: RowValues,
  guard: BoundFilter | null,
): readonly UpdateStatement[] {
  const { syntax, write } = vendor;
  return chunks(
    keys,
    collection.primaryKey.length > 1 ? Math.floor((write.maxParameters - values.size) / collection.primaryKey.length) : keys.length,
  ).map((some) => {
    const builder = startStatement(syntax);
    const scope = makeScope(builder.nextAlias());
    const statement = write.updateSame({
      table: syntax.table(tableOf(collection)),
      alias: scope.alias,
      values: [...values].map(([name, value]) => [name, valueSql(vendor, columnField(collection, name), value)]),
      where: whereKeys(vendor, builder, scope, { collection, keys: some, guard }),
      single: some.length === 1,
    });
    return { statement, count: some.length };
  });
}

/** Sets different values per key. All rows have the columns of the first, and no key is repeated. */
export function updateEach(
  vendor: WriteVendor,
  collection: Collection,
  rows: readonly KeyedRow[],
  guard: BoundFilter | null,
): readonly UpdateStatement[] {
  const { syntax, write } = vendor;
  const keys = collection.primaryKey.map((name) => columnField(collection, name));
  const fields = [...(rows[0]?.values.keys() ?? [])].map((name) => columnField(collection, name));
  const cellsOf = (list: readonly ColumnField[]): readonly WriteCell[] =>
    list.map((field) => write.typedValue(columnType(field), field.column));
  const [keyCells, valueCells] = [cellsOf(keys), cellsOf(fields)] as const;
  return chunks(rows, Math.floor(write.maxParameters / (keys.length + fields.length))).map((some) => {
    const builder = startStatement(syntax);
    const scope = makeScope(builder.nextAlias());
    const cells = some.map(({ key, values }) => [
      ...keyCells.map((cell, index) => cell(written(key[index]))),
      ...valueCells.map((cell, index) => cell(written(values.get(fields[index]?.name ?? '') ?? null))),
    ]);
    const statement = write.updateEach({
      table: syntax.table(tableOf(collection)),
      alias: scope.alias,
      keys: collection.primaryKey,
      columns: fields.map((field) => field.name),
      rows: cells,
      guard: guard === null ? null : builder.condition(scope, guard),
    });
    return { statement, count: some.length };
  });
}

export function deleteToSql(
  vendor: WriteVendor,
  collection: Collection,
  keys: readonly ItemKey[],
  guard: BoundFilter | null,
): readonly UpdateStatement[] {
  const { syntax, write } = vendor;
  return chunks(keys, collection.primaryKey.length > 1 ? Math.floor(write.maxParameters / collection.primaryKey.length) : keys.length).map(
    (some) => {
      const builder = startStatement(syntax);
      const scope = makeScope(builder.nextAlias());
      const where = whereKeys(vendor, builder, scope, { collection, keys: some, guard });
      return { statement: write.deleteFrom(syntax.table(tableOf(collection)), scope.alias, where), count: some.length };
    },
  );
}

interface Keyed {
  readonly collection: Collection;
  readonly keys: readonly ItemKey[];
  readonly guard: BoundFilter | null;
}

function whereKeys({ syntax, write }: WriteVendor, builder: StatementBuilder, scope: Scope, { collection, keys, guard }: Keyed): Sql {
  const where = sql`${valuesCondition(builder, scope, collection, collection.primaryKey, keys)}${andGuard(builder, scope, guard)}`;
  if (write.aliasesViews || collection.table?.kind !== 'view') return where;
  const columns = collection.primaryKey.map(syntax.identifier);
  const aliased = collection.primaryKey.map((name) => columnSql(builder, scope, name));
  return sql`(${join(columns, ', ')}) IN (SELECT ${join(aliased, ', ')} FROM ${tableAs(builder, collection, scope.alias)} WHERE ${where})`;
}

const valueSql = ({ write }: WriteVendor, field: ColumnField, value: unknown): Sql =>
  write.value(columnType(field), field.column)(written(value));

function chunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const step = Math.max(1, size);
  return Array.from({ length: Math.ceil(items.length / step) }, (_, index) => items.slice(index * step, (index + 1) * step));
}
