// Indexes of single columns: made beside the table, so that they can be taken away without rebuilding it.

import type { RawDatabase, RawIndex, RawTable } from '../../core/schema/raw.js';
import type { ColumnSpec } from '../../core/vendor/ddl.js';
import { quoteName, quoteNames } from './quote.js';
import { readTokens } from './sql-tokens.js';
import { tableVendorFacts } from './vendor-facts.js';

export const createIndex = (name: string, table: string, columns: readonly string[], unique: boolean): string =>
  `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quoteName(name)} ON ${quoteName(table)} (${quoteNames(columns)})`;

export const dropIndex = (name: string): string => `DROP INDEX ${quoteName(name)}`;

/** The unique or plain index a column asks for; `taken` are the names of all indexes there are, since a database shares one list. */
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

/** Tables and indexes share one list of names, compared without case. */
export const takenNames = (database: RawDatabase): ReadonlySet<string> =>
  new Set(database.tables.flatMap((table) => [table.name, ...table.indexes.map((index) => index.name)]).map((name) => name.toLowerCase()));

/** A constraint inside of CREATE TABLE has an index without a statement of its own. */
export const isInlineIndex = (index: RawIndex, table: RawTable): boolean =>
  !tableVendorFacts(table).indexes.some(({ name }) => name === index.name);

/** Indexes that speak of a column, in their list, an expression or a condition. */
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
