// Cheap tests for changes made by any program: of structure, and of contents. The test of structure is one statement that hashes what
// introspection would read, without sending it; a reading has the same checksums, so each tells whether the other is true. Nothing simpler works: the data dictionary has no version, creation times have a resolution
// of a second, and the counters of DDL statements increase before a change is visible.

import type { ContentToken } from '../../../core/vendor/dialect.js';
import type { Connection, Row } from '../../../core/vendor/driver.js';
import type { Server } from '../types/server.js';

interface Source {
  readonly view: string;
  readonly where: string;
  readonly columns: string;
}

/** The rows of each view that introspection reads, and the columns that are part of the token. */
const sources = {
  tables: {
    view: 'tables',
    where: "table_schema = DATABASE() AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')",
    columns: 'table_name, table_type, engine, table_collation, table_comment',
  },
  columns: {
    view: 'columns',
    // A column that the user may not read is hidden, as a table is. The view lists those with any right.
    where: "table_schema = DATABASE() AND privileges LIKE '%select%'",
    columns:
      'table_name, column_name, ordinal_position, column_default, is_nullable, column_type, collation_name, extra, column_comment, generation_expression',
  },
  indexes: {
    view: 'statistics',
    where: 'table_schema = DATABASE()',
    columns: 'table_name, index_name, seq_in_index, column_name, non_unique, sub_part, index_type',
  },
  foreignKeyColumns: {
    view: 'key_column_usage',
    where: 'table_schema = DATABASE() AND referenced_table_name IS NOT NULL',
    columns: 'table_name, constraint_name, column_name, referenced_table_schema, referenced_table_name, referenced_column_name',
  },
  foreignKeys: {
    view: 'referential_constraints',
    where: 'constraint_schema = DATABASE()',
    columns: 'table_name, constraint_name, delete_rule, update_rule',
  },
  triggers: {
    view: 'triggers',
    where: 'event_object_schema = DATABASE()',
    columns: 'event_object_table, trigger_name, event_manipulation, action_timing',
  },
  checks: { view: 'check_constraints', where: 'constraint_schema = DATABASE()', columns: 'table_name, constraint_name, check_clause' },
  // MySQL's view of the checks does not have their table; names are unique within a database there.
  mysqlChecks: {
    view: 'check_constraints JOIN information_schema.table_constraints USING (constraint_schema, constraint_name)',
    where: "constraint_schema = DATABASE() AND constraint_type = 'CHECK'",
    columns: 'table_name, constraint_name, check_clause',
  },
} as const satisfies Readonly<Record<string, Source>>;

type AnySource = keyof typeof sources;
/** What a reading consists of, on either product. */
export type SourceName = Exclude<AnySource, 'mysqlChecks'>;

const checksumOf = ({ columns }: Source): string =>
  `CRC32(CONCAT_WS('|', ${columns
    .split(', ')
    .map((column) => `IFNULL(${column}, 'null')`)
    .join(', ')}))`;

/** The text for the tables of these names, which are its values; without names, for all. */
export type CatalogueQuery = (only?: readonly string[]) => string;

/** Reads these columns, and behind them the checksum of the row, from which `tokenOf` makes the token of what was read. */
export function readFrom(name: AnySource, columns: string, order = ''): CatalogueQuery {
  const { view, where } = sources[name];
  const all = `SELECT ${columns}, ${checksumOf(sources[name])} FROM information_schema.${view} WHERE ${where}`;
  const tableName = name === 'triggers' ? 'event_object_table' : 'table_name';
  return (only) => `${all}${only === undefined ? '' : ` AND ${tableName} IN (${only.map(() => '?').join()})`}${order}`;
}

/** Sums the squares of the rows' checksums. CRC32 is linear, so in a plain sum the same change in two tables could cancel itself out. */
const hash = (source: Source): string =>
  `(SELECT CONCAT(COUNT(*), '.', IFNULL(SUM(${checksumOf(source)} * ${checksumOf(source)}), 0)) FROM information_schema.${source.view} WHERE ${source.where})`;

function hashRows(rows: readonly Row[]): string {
  const squares = rows.map((row) => BigInt(String(row.at(-1))) ** 2n);
  return `${rows.length}.${squares.reduce((sum, square) => sum + square, 0n)}`;
}

const sourceNames = ['tables', 'columns', 'indexes', 'foreignKeyColumns', 'foreignKeys', 'triggers', 'checks'] as const;

const query = (mariadb: boolean): string =>
  `SELECT ${sourceNames.map((name) => hash(sources[name === 'checks' && !mariadb ? 'mysqlChecks' : name])).join(', ')}`;
const mysqlQuery = query(false);
const mariadbQuery = query(true);

export async function changeToken(connection: Connection, server: () => Server): Promise<string> {
  const rows = await connection.rows({ kind: 'read', text: server().mariadb ? mariadbQuery : mysqlQuery, values: [] });
  return (rows[0] ?? []).join(' ');
}

/** The token of a catalogue that consists of these rows. */
export const tokenOf = (read: Readonly<Record<SourceName, readonly Row[]>>): string =>
  sourceNames.map((name) => hashRows(read[name])).join(' ');

const text = `SELECT MAX(update_time), SUM(UNIX_TIMESTAMP(update_time)), IF(MAX(update_time) >= NOW() - INTERVAL 2 SECOND, NOW(6), NULL)
FROM information_schema.tables WHERE table_schema = DATABASE()`;

/**
 * Changes when any program commits to a table of this database. InnoDB keeps the time of the last commit per table, with a resolution of a
 * second, so a second commit within that second would not show. For two seconds after a commit the token therefore contains the current
 * time and always differs.
 */
export const contentToken: ContentToken = {
  source: 'information_schema.tables.update_time',
  async read(connection) {
    const rows = await connection.rows({ kind: 'read', text, values: [] });
    return (rows[0] ?? []).join(' ');
  },
};

const otherText = `SELECT info FROM information_schema.processlist
  WHERE db = DATABASE() AND id <> CONNECTION_ID() AND info IS NOT NULL`;

/** The server lists only the statement that a session is running, not the last one it ran. */
export async function tracesOfOthers(connection: Connection): Promise<readonly string[]> {
  return (await connection.rows({ kind: 'read', text: otherText, values: [] })).map(([info]) => String(info));
}
