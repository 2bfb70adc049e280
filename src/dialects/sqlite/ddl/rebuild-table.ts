// Makes a change that ALTER TABLE cannot make: creates a new table, copies the rows, drops the old table and renames the new one. Views,
// triggers and foreign keys of other tables refer to the table by name and stay valid. Requires a structural transaction, in which foreign
// keys are off: otherwise dropping the old table would delete or clear the rows that refer to it.

import type { RawTable } from '../../../core/schema/raw.js';
import { parseTableSource, type TableSource } from '../catalogue/table-source.js';
import { quoteName, quoteNames, quoteText } from '../types/quote.js';
import { tableVendorFacts } from '../types/vendor-facts.js';
import { sourceText } from './column-definition.js';

interface Rebuild {
  /** The definitions of all columns, then those of the constraints. */
  readonly definitions: readonly string[];
  /** The columns of the new table with the expressions to copy; without generated columns. */
  readonly copy?: readonly { readonly column: string; readonly expression: string }[];
  /** Names of indexes that are not created again. */
  readonly withoutIndexes?: readonly string[];
}

/** Errors that occur during a rebuild name the new table; driver/errors.ts removes this prefix from them. */
export const rebuildPrefix = 'tain_rebuild_';

const rebuildName = (table: string): string => `${rebuildPrefix}${table}`;

/** Fails outside of a structural transaction. */
const requireStructure =
  "SELECT refuse('a table can be rebuilt in a structural transaction only') FROM pragma_foreign_keys WHERE foreign_keys = 1";

export function rebuildTable(table: RawTable, { definitions, copy = copyColumns(table), withoutIndexes = [] }: Rebuild): readonly string[] {
  const facts = tableVendorFacts(table);
  const [old, fresh] = [quoteName(table.name), quoteName(rebuildName(table.name))];
  const names = quoteNames(copy.map(({ column }) => column));
  return [
    requireStructure,
    `CREATE TABLE ${fresh} (${definitions.join(', ')}) ${tableSource(table).options}`.trimEnd(),
    `INSERT INTO ${fresh} (${names}) SELECT ${copy.map(({ expression }) => expression).join(', ')} FROM ${old}`,
    ...keepCounter(table, definitions),
    // Otherwise RENAME checks every view, and fails because the old table no longer exists.
    'PRAGMA legacy_alter_table = ON',
    `DROP TABLE ${old}`,
    `ALTER TABLE ${fresh} RENAME TO ${old}`,
    'PRAGMA legacy_alter_table = OFF',
    ...facts.indexes.filter(({ name }) => !withoutIndexes.includes(name)).map(({ sql }) => sql),
    ...facts.triggers.map(({ sql }) => sql),
  ];
}

/** Copies the counter of AUTOINCREMENT: a key that was generated once is not generated again, even if its row is gone. */
function keepCounter(table: RawTable, definitions: readonly string[]): readonly string[] {
  const counts = (text: string): boolean => /\bautoincrement\b/i.test(text);
  if (!counts(tableVendorFacts(table).sql) || !definitions.some(counts)) return [];
  const [old, fresh] = [quoteText(table.name), quoteText(rebuildName(table.name))];
  return [
    `DELETE FROM sqlite_sequence WHERE name = ${fresh}`,
    `INSERT INTO sqlite_sequence (name, seq) SELECT ${fresh}, seq FROM sqlite_sequence WHERE name = ${old}`,
  ];
}

export function tableSource(table: RawTable): TableSource {
  const source = parseTableSource(tableVendorFacts(table).sql);
  if (source === null) throw new Error(`the statement that made ${table.name} cannot be read`);
  return source;
}

/** All definitions of a table; `more` is inserted between the columns and the constraints. */
export const definitionsOf = (source: Pick<TableSource, 'columns' | 'constraints'>, ...more: readonly string[]): readonly string[] => [
  ...source.columns.map(sourceText),
  ...more,
  ...source.constraints.map((constraint) => constraint.text),
];

export const copyColumns = (table: RawTable): NonNullable<Rebuild['copy']> =>
  table.columns.filter((column) => !column.generated).map(({ name }) => ({ column: name, expression: quoteName(name) }));
