// The structure of the database from information_schema: six statements, joined here, since the server joins these views slowly.

import type { RawColumn, RawDatabase, RawTable } from '../../core/schema/raw.js';
import type { Connection, Row } from '../../core/vendor/driver.js';
import { groupRows } from './group-rows.js';
import { columnsQuery, readColumn } from './read-column.js';
import { foreignKeyColumnsQuery, foreignKeysQuery, groupForeignKeys, groupIndexes, indexesQuery } from './read-keys.js';
import type { Server } from './server.js';

const tablesQuery = `SELECT table_name, table_type, table_comment, table_rows, engine, table_collation
  FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type IN ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW') ORDER BY table_name`;

const checksQuery =
  "SELECT table_name, constraint_name, check_clause FROM information_schema.check_constraints WHERE constraint_schema = DATABASE() AND level = 'Column'";

export async function introspect(connection: Connection, server: () => Server): Promise<RawDatabase> {
  const read = (text: string) => connection.rows({ text, values: [] });
  const tables = await read(tablesQuery);
  const columns = groupRows(await read(columnsQuery), 0);
  const indexes = groupIndexes(await read(indexesQuery));
  const foreignKeys = groupForeignKeys(await read(foreignKeyColumnsQuery), await read(foreignKeysQuery));
  // MySQL has a type for json, so checks need not be read there (nor do they tell their column).
  const mariadb = server().mariadb;
  const checks = groupRows(mariadb ? await read(checksQuery) : [], 0);
  return {
    tables: tables.map((row) => {
      const name = tableOf(row);
      const facts = { indexes: indexes.get(name) ?? [], checks: checks.get(name) ?? [], mariadb };
      return readTable(row, columns.get(name) ?? [], facts, foreignKeys.get(name) ?? []);
    }),
  };
}

const tableOf = (row: Row): string => String(row[0]);

interface TableFacts {
  readonly indexes: RawTable['indexes'];
  readonly checks: readonly Row[];
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
    estimatedRows: view || row[3] === null || row[3] === undefined ? null : Number(row[3]),
    vendor: { engine: row[4] ?? null, collation: row[5] ?? null },
  };
}

function readTableColumn(row: Row, view: boolean, primaryKey: readonly string[], facts: TableFacts): RawColumn {
  const name = String(row[1]);
  const check = facts.checks.find((candidate) => candidate[1] === name);
  return readColumn(row, {
    view,
    primaryKey: primaryKey.includes(name),
    unique: facts.indexes.some((index) => index.unique && !index.partial && index.columns.length === 1 && index.columns[0] === name),
    indexed: facts.indexes.some((index) => index.columns[0] === name),
    check: check === undefined ? null : String(check[2]),
    mariadb: facts.mariadb,
  });
}
