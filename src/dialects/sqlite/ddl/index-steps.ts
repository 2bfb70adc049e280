// Statements for indexes. The index of a column is created separately from its table, so that dropping it needs no rebuild.

import type { RawDatabase, RawIndex, RawTable } from '../../../core/schema/raw.js';
import type { ColumnSpec } from '../../../core/vendor/ddl.js';
import { readTokens } from '../catalogue/sql-tokens.js';
import { quoteName, quoteNames } from '../types/quote.js';
import { tableVendorFacts } from '../types/vendor-facts.js';

export const createIndex = (name: string, table: string, columns: readonly string[], unique: boolean): string =>
  `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quoteName(name)} ON ${quoteName(table)} (${quoteNames(columns)})`;

export const dropIndex = (name: string): string => `DROP INDEX ${quoteName(name)}`;

/** Creates the unique or plain index that the spec requires. `taken`: see `takenNames`. */
export function columnIndex(spec: ColumnSpec, table: string, taken: ReadonlySet<string>): readonly string[] {
  if (spec.primaryKey || !(spec.unique || spec.indexed)) return [];
  const name = freeName(`${table}_${spec.name}_${spec.unique ? 'unique' : 'index'}`, taken);
  return [createIndex(name, table, [spec.name], spec.unique)];
}

export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name.toLowerCase()); count += 1) name = `${wanted}_${count}`;
  return name;
}

/** The names of all tables and indexes in lower case: they share one namespace per file, in which case does not matter. */
export const takenNames = (database: RawDatabase): ReadonlySet<string> =>
  new Set(database.tables.flatMap((table) => [table.name, ...table.indexes.map((index) => index.name)]).map((name) => name.toLowerCase()));

/** Whether the index belongs to a constraint inside CREATE TABLE and therefore has no CREATE INDEX statement. */
export const isInlineIndex = (index: RawIndex, table: RawTable): boolean =>
  !tableVendorFacts(table).indexes.some(({ name }) => name === index.name);

/** The indexes that mention a column: in their column list, an expression or a condition. */
export function indexesNaming(table: RawTable, column: string): readonly string[] {
  const wanted = column.toLowerCase();
  return tableVendorFacts(table)
    .indexes.filter(({ sql }) => afterTableName(sql).some((name) => name === wanted))
    .map(({ name }) => name);
}

function afterTableName(sql: string): readonly string[] {
  const tokens = readTokens(sql);
  const open = tokens.findIndex((token) => token.kind === 'other' && token.value === '(');
  return tokens.slice(open).flatMap((token) => (token.kind === 'word' || token.kind === 'name' ? [token.value.toLowerCase()] : []));
}
