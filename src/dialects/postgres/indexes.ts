// Keys and indexes: made under derived names, dropped by the way they were made (a constraint's index goes with its constraint).

import type { RawDatabase, RawTable } from '../../core/schema/raw.js';
import type { TableName } from '../../core/schema/table-name.js';
import { deriveName } from './derived-names.js';
import { quoteName, quoteNames, quoteTable } from './quoting.js';

export const uniqueConstraint = (table: TableName, columns: readonly string[], before: RawDatabase): string =>
  `CONSTRAINT ${quoteName(deriveName(before, table, columns, 'unique'))} UNIQUE (${quoteNames(columns)})`;

export const primaryKeyConstraint = (table: TableName, columns: readonly string[], before: RawDatabase): string =>
  `CONSTRAINT ${quoteName(deriveName(before, table, columns, 'pkey'))} PRIMARY KEY (${quoteNames(columns)})`;

export const addUnique = (table: TableName, columns: readonly string[], before: RawDatabase): string =>
  `ALTER TABLE ${quoteTable(table)} ADD ${uniqueConstraint(table, columns, before)}`;

export const addPrimaryKey = (table: TableName, columns: readonly string[], before: RawDatabase): string =>
  `ALTER TABLE ${quoteTable(table)} ADD ${primaryKeyConstraint(table, columns, before)}`;

export const createIndex = (table: TableName, columns: readonly string[], before: RawDatabase): string =>
  createNamedIndex(table, deriveName(before, table, columns, 'index'), columns, false);

export const createNamedIndex = (table: TableName, name: string, columns: readonly string[], unique: boolean): string =>
  `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quoteName(name)} ON ${quoteTable(table)} (${quoteNames(columns)})`;

export function dropIndex(table: RawTable, name: string): string {
  const constraints = table.vendor['constraints'];
  if (Array.isArray(constraints) && constraints.includes(name))
    return `ALTER TABLE ${quoteTable(table)} DROP CONSTRAINT ${quoteName(name)}`;
  return `DROP INDEX ${quoteTable({ schema: table.schema, name })}`;
}
