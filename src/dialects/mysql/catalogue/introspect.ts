// Introspection on MariaDB and MySQL: reads information_schema in seven statements (eight with partitions) and joins the rows here, because
// the server is slow to join these views. The token of the catalogue confirms what was read.

import {
  type RawCheck,
  type RawColumn,
  type RawDatabase,
  type RawTable,
  type RawTriggers,
  type RowEvent,
  rowEvents,
} from '../../../core/schema/raw.js';
import { groupBy } from '../../../core/util/group-by.js';
import type { CatalogueReading, SystemTables, ViewText } from '../../../core/vendor/dialect.js';
import type { Connection, Row } from '../../../core/vendor/driver.js';
import { readViewTexts } from '../../../core/vendor/view-texts.js';
import { unescapeExpression } from '../types/quote.js';
import type { Server } from '../types/server.js';
import { type CatalogueQuery, changeToken, readFrom, type SourceName, tokenOf } from './change-token.js';
import { columnsQueries, readColumn } from './read-column.js';
import { foreignKeyColumnsQuery, foreignKeysQuery, groupForeignKeys, groupIndexes, indexesQuery } from './read-keys.js';

const tablesQuery = readFrom(
  'tables',
  'table_name, table_type, table_comment, table_rows, engine, table_collation, create_options',
  ' ORDER BY table_name',
);

const checksQueries = {
  mariadb: readFrom('checks', 'table_name, constraint_name, check_clause, level'),
  mysql: readFrom('mysqlChecks', 'table_name, constraint_name, check_clause, NULL'),
};

const triggersQuery = readFrom('triggers', 'event_object_table, event_manipulation, action_timing');

/** Sent only if a table has partitions. */
const partitionsQuery =
  'SELECT DISTINCT table_name, partition_expression, subpartition_expression FROM information_schema.partitions WHERE table_schema = DATABASE() AND partition_method IS NOT NULL';

const maxReadings = 5;

/**
 * Reads until the token confirms it. These views list the files of the database, not a snapshot of it: while an ALTER TABLE ends, its table
 * may be missing from them although it exists. The service's own tables are altered by one process at a time, which is the one that asks.
 */
export async function introspect(connection: Connection, server: () => Server, only?: SystemTables): Promise<RawDatabase> {
  if (only !== undefined) return (await readCatalogue(connection, server, only.names)).database;
  for (let readings = 1; ; readings += 1) {
    const { database, token } = await readCatalogue(connection, server);
    if (readings === maxReadings || (await changeToken(connection, server)) === token) return database;
  }
}

/** The token is that of the tables that were read. */
export async function readCatalogue(connection: Connection, server: () => Server, only?: readonly string[]): Promise<CatalogueReading> {
  const read = (query: CatalogueQuery) => connection.rows({ kind: 'read', text: query(only), values: only ?? [] });
  const tables = await read(tablesQuery);
  const { mariadb } = server();
  const rows: Readonly<Record<SourceName, readonly Row[]>> = {
    tables,
    columns: await read(mariadb ? columnsQueries.mariadb : columnsQueries.mysql),
    indexes: await read(indexesQuery),
    foreignKeyColumns: await read(foreignKeyColumnsQuery),
    foreignKeys: await read(foreignKeysQuery),
    checks: await read(mariadb ? checksQueries.mariadb : checksQueries.mysql),
    triggers: await read(triggersQuery),
  };
  const partitions = tables.some(isPartitioned) ? await connection.rows({ kind: 'read', text: partitionsQuery, values: [] }) : [];
  return { database: readTables(rows, partitions, mariadb), token: tokenOf(rows) };
}

function readTables(rows: Readonly<Record<SourceName, readonly Row[]>>, partitionRows: readonly Row[], mariadb: boolean): RawDatabase {
  const columns = groupBy(rows.columns, tableOf);
  const indexes = groupIndexes(rows.indexes);
  const foreignKeys = groupForeignKeys(rows.foreignKeyColumns, rows.foreignKeys);
  const checks = groupBy(rows.checks, tableOf);
  const triggers = groupBy(rows.triggers, tableOf);
  const partitions = groupBy(partitionRows, tableOf);
  // A table of which nothing may be read is hidden. A view that is broken has no columns, and is refused by name.
  const isReadable = (row: Row): boolean => row[1] === 'VIEW' || columns.has(tableOf(row));
  return {
    tables: rows.tables.filter(isReadable).map((row) => {
      const name = tableOf(row);
      const facts: TableFacts = {
        indexes: indexes.get(name) ?? [],
        checks: checks.get(name) ?? [],
        triggers: triggers.get(name) ?? [],
        partitions: partitions.get(name) ?? [],
        mariadb,
      };
      return readTable(row, columns.get(name) ?? [], facts, foreignKeys.get(name) ?? []);
    }),
  };
}

const viewsQuery =
  'SELECT NULL, table_name, view_definition FROM information_schema.views WHERE table_schema = DATABASE() ORDER BY table_name';

export const readViews = (connection: Connection): Promise<readonly ViewText[]> => readViewTexts(connection, viewsQuery);

const updatableQuery = 'SELECT is_updatable FROM information_schema.views WHERE table_schema = DATABASE() AND table_name = ?';

/** Whether a view that can be updated takes new rows as well depends on the columns of each INSERT. */
export async function writableEvents(connection: Connection, { kind, name }: RawTable): Promise<ReadonlySet<RowEvent>> {
  if (kind === 'table') return new Set(rowEvents);
  const [row] = await connection.rows({ kind: 'read', text: updatableQuery, values: [name] });
  return new Set(row?.[0] === 'YES' ? rowEvents : []);
}

const isPartitioned = (row: Row): boolean => String(row[6] ?? '').includes('partitioned');

const tableOf = (row: Row): string => String(row[0]);

interface TableFacts {
  readonly indexes: RawTable['indexes'];
  readonly checks: readonly Row[];
  readonly triggers: readonly Row[];
  readonly partitions: readonly Row[];
  readonly mariadb: boolean;
}

function readTable(row: Row, columns: readonly Row[], facts: TableFacts, foreignKeys: RawTable['foreignKeys']): RawTable {
  const view = row[1] === 'VIEW';
  const primaryKey = facts.indexes.find((index) => index.name === 'PRIMARY')?.columns ?? [];
  return {
    schema: null,
    name: tableOf(row),
    kind: view ? 'view' : 'table',
    comment: view || row[2] === '' || row[2] === null ? null : String(row[2]),
    columns: columns.map((column) => readTableColumn(column, view, primaryKey, facts)),
    primaryKey,
    foreignKeys,
    indexes: facts.indexes,
    checks: facts.checks.map((check) => readCheck(check, facts.mariadb)),
    partitionedBy: namedColumns(facts.partitions.flatMap(([, ...expressions]) => expressions).join(' ')),
    triggers: facts.triggers.length === 0 ? null : readTriggers(facts.triggers),
    estimatedRows: view || row[3] === null || row[3] === undefined ? null : Number(row[3]),
    vendor: { engine: row[4] ?? null, collation: row[5] ?? null },
  };
}

function readCheck([, name, clause, level]: Row, mariadb: boolean): RawCheck {
  const text = mariadb ? String(clause) : unescapeExpression(String(clause));
  return { name: String(name), columns: level === 'Column' ? [String(name)] : namedColumns(text) };
}

/** The columns that an expression mentions. The server normalises expressions, so every column name is in backticks. */
const namedColumns = (expression: string): readonly string[] =>
  [
    ...new Set(Array.from(expression.matchAll(/'(?:[^'\\]|''|\\.)*'|`((?:[^`]|``)+)`/gs), ([, name]) => name?.replaceAll('``', '`') ?? '')),
  ].filter((name) => name !== '');

function readTriggers(rows: readonly Row[]): RawTriggers {
  const eventsOf = (some: readonly Row[]): ReadonlySet<RowEvent> =>
    new Set(some.flatMap((row) => rowEvents.filter((event) => event === String(row[1]).toLowerCase())));
  return { events: eventsOf(rows), before: eventsOf(rows.filter((row) => row[2] === 'BEFORE')), silent: false };
}

function readTableColumn(row: Row, view: boolean, primaryKey: readonly string[], facts: TableFacts): RawColumn {
  const name = String(row[1]);
  const check = facts.checks.find((candidate) => candidate[1] === name && candidate[3] === 'Column');
  return readColumn(row, {
    view,
    primaryKey: primaryKey.includes(name),
    unique: facts.indexes.some((index) => index.unique && !index.partial && index.columns.length === 1 && index.columns[0] === name),
    indexed: facts.indexes.some((index) => index.columns[0] === name),
    check: check === undefined ? null : String(check[2]),
    mariadb: facts.mariadb,
  });
}
