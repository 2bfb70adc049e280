// What SQLite's catalogue says, in four statements however many tables there are, and a fifth where somebody has run ANALYZE.

import { DatabaseError } from '../../core/vendor/database-error.js';
import type { Connection, Row } from '../../core/vendor/driver.js';

export interface ObjectFact {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly sql: string;
}

export interface ColumnFact {
  readonly table: string;
  readonly name: string;
  readonly declared: string;
  readonly notNull: boolean;
  readonly default: string | null;
  /** Place in the primary key, 0 for none. */
  readonly key: number;
  readonly hidden: number;
}

export interface IndexColumnFact {
  readonly table: string;
  readonly index: string;
  readonly unique: boolean;
  readonly partial: boolean;
  /** null: an expression, or the rowid. */
  readonly column: string | null;
}

export interface ForeignKeyFact {
  readonly table: string;
  readonly id: number;
  readonly column: string;
  readonly foreignTable: string;
  readonly foreignColumn: string | null;
  readonly onUpdate: string;
  readonly onDelete: string;
}

/** What ANALYZE has counted in an index. */
export interface IndexStatistic {
  readonly table: string;
  readonly index: string;
  /** The number of entries, then how many of them share a value of the first column, of the first two, and so on. */
  readonly counts: string;
}

export interface Catalogue {
  readonly objects: readonly ObjectFact[];
  /** Names of tables that belong to a virtual table, and of virtual tables themselves. */
  readonly shadow: ReadonlySet<string>;
  readonly virtual: ReadonlySet<string>;
  readonly columns: readonly ColumnFact[];
  readonly indexColumns: readonly IndexColumnFact[];
  readonly foreignKeys: readonly ForeignKeyFact[];
  readonly statistics: readonly IndexStatistic[];
}

const ownTables = String.raw`m.name NOT LIKE 'sqlite\_%' ESCAPE '\'`;

const objectsText = `SELECT 'schema', m.type, m.name, m.tbl_name, m.sql FROM sqlite_schema m WHERE ${ownTables}
  UNION ALL SELECT 'list', type, name, NULL, NULL FROM pragma_table_list WHERE schema = 'main' AND type IN ('shadow', 'virtual')
  UNION ALL SELECT 'statistics', NULL, NULL, NULL, NULL FROM sqlite_schema WHERE name = 'sqlite_stat1'`;
const columnsText = (kinds: string): string => `SELECT m.name, c.name, c.type, c."notnull", c.dflt_value, c.pk, c.hidden
  FROM sqlite_schema m, pragma_table_xinfo(m.name) c WHERE m.type IN (${kinds}) AND ${ownTables}`;
const indexesText = `SELECT m.name, i.name, i."unique", i.partial, c.name
  FROM sqlite_schema m, pragma_index_list(m.name) i, pragma_index_info(i.name) c WHERE m.type = 'table' AND ${ownTables} ORDER BY i.name, c.seqno`;
const foreignKeysText = `SELECT m.name, f.id, f."from", f."table", f."to", f.on_update, f.on_delete
  FROM sqlite_schema m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table' AND ${ownTables} ORDER BY m.name, f.id DESC, f.seq`;
const statisticsText = 'SELECT tbl, idx, stat FROM sqlite_stat1 WHERE idx IS NOT NULL';

export async function readCatalogue(connection: Connection): Promise<Catalogue> {
  const read = (text: string): Promise<readonly Row[]> => connection.rows({ text, values: [] });
  const [objects, columns, indexColumns, foreignKeys] = [
    await read(objectsText),
    await readColumns(connection),
    await read(indexesText),
    await read(foreignKeysText),
  ];
  const statistics = objects.some(([kind]) => kind === 'statistics') ? await read(statisticsText) : [];
  const listed = (type: string): ReadonlySet<string> =>
    new Set(objects.filter((row) => row[0] === 'list' && row[1] === type).map((row) => String(row[2])));
  return {
    objects: objects
      .filter((row) => row[0] === 'schema')
      .map(([, type, name, table, sql]) => ({ type: String(type), name: String(name), table: String(table), sql: String(sql ?? '') })),
    shadow: listed('shadow'),
    virtual: listed('virtual'),
    columns: columns.map(readColumn),
    indexColumns: indexColumns.map(([table, index, unique, partial, column]) => ({
      table: String(table),
      index: String(index),
      unique: unique === 1,
      partial: partial === 1,
      column: column === null ? null : String(column),
    })),
    foreignKeys: foreignKeys.map(readForeignKey),
    statistics: statistics.map(([table, index, counts]) => ({ table: String(table), index: String(index), counts: String(counts) })),
  };
}

const readColumn = ([table, name, declared, notNull, text, key, hidden]: Row): ColumnFact => ({
  table: String(table),
  name: String(name),
  declared: String(declared),
  notNull: notNull === 1,
  default: text === null ? null : String(text),
  key: Number(key),
  hidden: Number(hidden),
});

const readForeignKey = ([table, id, column, foreignTable, foreignColumn, onUpdate, onDelete]: Row): ForeignKeyFact => ({
  table: String(table),
  id: Number(id),
  column: String(column),
  foreignTable: String(foreignTable),
  foreignColumn: foreignColumn === null ? null : String(foreignColumn),
  onUpdate: String(onUpdate),
  onDelete: String(onDelete),
});

/** One view that no longer fits its tables fails the whole statement: then the tables come together and the others one by one. */
async function readColumns(connection: Connection): Promise<readonly Row[]> {
  try {
    return await connection.rows({ text: columnsText("'table', 'view'"), values: [] });
  } catch (error) {
    if (!isBroken(error)) throw error;
    return readColumnsOneByOne(connection);
  }
}

const isBroken = (error: unknown): boolean => error instanceof DatabaseError && (error.kind === 'stale-schema' || error.kind === 'other');

async function readColumnsOneByOne(connection: Connection): Promise<readonly Row[]> {
  const names = await connection.rows({ text: "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')", values: [] });
  const found: Row[] = [];
  for (const [name] of names) {
    const statement = { text: `${columnsText("'table', 'view'")} AND m.name = ?`, values: [String(name)] };
    const columns = await connection.rows(statement).catch((error: unknown) => {
      if (isBroken(error)) return [];
      throw error;
    });
    found.push(...columns);
  }
  return found;
}
