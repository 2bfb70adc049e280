// Statements for keys and indexes. Their names are derived from the table and columns; the index of a constraint is dropped with its constraint.

import { createHash } from 'node:crypto';
import type { RawDatabase, RawTable } from '../../../core/schema/raw.js';
import type { TableName } from '../../../core/schema/table-name.js';
import { quoteName, quoteNames, quoteTable } from '../types/quote.js';

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

/** PostgreSQL truncates longer names without an error. */
const maxBytes = 63;

/** A name that is not taken: indexes and tables of a schema share one namespace. A name that is too long is cut and ends in a hash. */
function deriveName(before: RawDatabase, table: TableName, columns: readonly string[], ending: 'unique' | 'index' | 'pkey'): string {
  const plain = [table.name, ...(ending === 'pkey' ? [] : columns), ending].join('_');
  if (Buffer.byteLength(plain) <= maxBytes && !isTaken(before, table.schema, plain)) return plain;
  const hash = createHash('md5')
    .update(JSON.stringify([table.name, columns, ending]))
    .digest('hex')
    .slice(0, 8);
  return `${cut(plain, maxBytes - hash.length - 1)}_${hash}`;
}

const isTaken = (before: RawDatabase, schema: string | null, name: string): boolean =>
  before.tables.some((table) => table.schema === schema && (table.name === name || table.indexes.some((index) => index.name === name)));

function cut(text: string, bytes: number): string {
  const buffer = Buffer.from(text);
  // Cut between characters: a continuation byte begins with the bits 10.
  let end = Math.min(bytes, buffer.length);
  while (end > 0 && ((buffer[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return buffer.toString('utf8', 0, end);
}
