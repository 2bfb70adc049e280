// A change that ALTER TABLE cannot do: a new table beside the old one, the items copied over, the new one put in the old one's place.
// Views, triggers and foreign keys elsewhere name the table and never notice. Only for structural transactions: with foreign keys on,
// dropping the old table would delete what points to its items.

import type { RawTable } from '../../core/schema/raw.js';
import { sourceText } from './column-definition.js';
import { quoteName, quoteNames, quoteText } from './quote.js';
import { rebuildName } from './rebuild-name.js';
import { parseTableSource, type TableSource } from './table-source.js';
import { tableVendorFacts } from './vendor-facts.js';

interface Rebuild {
  /** The text of every definition, columns first. */
  readonly definitions: readonly string[];
  /** Target columns with the expression each is filled by; generated columns are left out. */
  readonly copy?: readonly { readonly column: string; readonly expression: string }[];
  /** Names of indexes that are not made again. */
  readonly withoutIndexes?: readonly string[];
}

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
    // Without it SQLite would look through every view in the moment when the old name is gone, and refuse.
    'PRAGMA legacy_alter_table = ON',
    `DROP TABLE ${old}`,
    `ALTER TABLE ${fresh} RENAME TO ${old}`,
    'PRAGMA legacy_alter_table = OFF',
    ...facts.indexes.filter(({ name }) => !withoutIndexes.includes(name)).map(({ sql }) => sql),
    ...facts.triggers.map(({ sql }) => sql),
  ];
}

/** Numbers that were given once are not given again, whether their items are still there or not. */
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

/** The definitions of a source, of which a change has replaced parts; `more` stand where columns end and constraints begin. */
export const definitionsOf = (source: Pick<TableSource, 'columns' | 'constraints'>, ...more: readonly string[]): readonly string[] => [
  ...source.columns.map(sourceText),
  ...more,
  ...source.constraints.map((constraint) => constraint.text),
];

export const copyColumns = (table: RawTable): NonNullable<Rebuild['copy']> =>
  table.columns.filter((column) => !column.generated).map(({ name }) => ({ column: name, expression: quoteName(name) }));
