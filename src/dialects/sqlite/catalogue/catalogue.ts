// Reads SQLite's catalogue in four statements, regardless of the number of tables, and in a fifth if the file has been analyzed.

import { DatabaseError, type DatabaseErrorKind } from '../../../core/vendor/database-error.js';
import type { Connection, Row } from '../../../core/vendor/driver.js';

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
  /** Position in the primary key, from 1; 0 for a column outside of it. */
  readonly key: number;
  /** As PRAGMA table_xinfo has it: 1 hidden (of a virtual table), 2 generated and virtual, 3 generated and stored. */
  readonly hidden: number;
}

export interface IndexColumnFact {
  readonly table: string;
  readonly index: string;
  readonly unique: boolean;
  readonly partial: boolean;
  /** Whether it was made by a constraint inside of CREATE TABLE. */
  readonly constraint: boolean;
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

/** A row of sqlite_stat1. */
export interface IndexStatistic {
  readonly table: string;
  readonly index: string;
  /** The number of entries, then the average number of entries that share the first column, the first two columns, and so on. */
  readonly counts: string;
}

export interface Catalogue {
  readonly objects: readonly ObjectFact[];
  /** Names of the tables in which virtual tables keep their data. */
  readonly shadow: ReadonlySet<string>;
  /** Names of the virtual tables. */
  readonly virtual: ReadonlySet<string>;
  readonly columns: readonly ColumnFact[];
  readonly indexColumns: readonly IndexColumnFact[];
  readonly foreignKeys: readonly ForeignKeyFact[];
  readonly statistics: readonly IndexStatistic[];
}

const ownTables = String.raw`m.name NOT LIKE 'sqlite\_%' ESCAPE '\'`;

/** Behind the conditions: the objects of the tables whose names are a JSON array. */
const ofNamedTables = ' AND m.tbl_name IN (SELECT value FROM json_each(?))';

const textsWhere = (restriction: string) => ({
  objects: `SELECT 'schema', m.type, m.name, m.tbl_name, m.sql FROM sqlite_schema m WHERE ${ownTables}${restriction}
  UNION ALL SELECT 'list', type, name, NULL, NULL FROM pragma_table_list WHERE schema = 'main' AND type IN ('shadow', 'virtual')
  UNION ALL SELECT 'statistics', NULL, NULL, NULL, NULL FROM sqlite_schema WHERE name = 'sqlite_stat1'`,
  columns: `SELECT m.name, c.name, c.type, c."notnull", c.dflt_value, c.pk, c.hidden
  FROM sqlite_schema m, pragma_table_xinfo(m.name) c WHERE m.type IN ('table', 'view') AND ${ownTables}${restriction}`,
  indexes: `SELECT m.name, i.name, i."unique", i.partial, c.name, i.origin
  FROM sqlite_schema m, pragma_index_list(m.name) i, pragma_index_info(i.name) c WHERE m.type = 'table' AND ${ownTables}${restriction} ORDER BY i.name, c.seqno`,
  foreignKeys: `SELECT m.name, f.id, f."from", f."table", f."to", f.on_update, f.on_delete
  FROM sqlite_schema m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table' AND ${ownTables}${restriction} ORDER BY m.name, f.id DESC, f.seq`,
});
const allTexts = textsWhere('');
const namedTexts = textsWhere(ofNamedTables);
const statisticsText = 'SELECT tbl, idx, stat FROM sqlite_stat1 WHERE idx IS NOT NULL';

/** `only`: the names of the tables to read, instead of all. */
export async function readCatalogue(connection: Connection, only?: readonly string[]): Promise<Catalogue> {
  const texts = only === undefined ? allTexts : namedTexts;
  const values = only === undefined ? [] : [JSON.stringify(only)];
  const read = (text: string): Promise<readonly Row[]> => connection.rows({ kind: 'read', text, values });
  const [objects, columns, indexColumns, foreignKeys] = [
    await read(texts.objects),
    await readColumns(connection, () => read(texts.columns)),
    await read(texts.indexes),
    await read(texts.foreignKeys),
  ];
  const hasStatistics = objects.some(([kind]) => kind === 'statistics');
  const statistics = hasStatistics ? await connection.rows({ kind: 'read', text: statisticsText, values: [] }) : [];
  const listed = (type: string): ReadonlySet<string> =>
    new Set(objects.filter((row) => row[0] === 'list' && row[1] === type).map((row) => String(row[2])));
  return {
    objects: objects
      .filter((row) => row[0] === 'schema')
      .map(([, type, name, table, sql]) => ({ type: String(type), name: String(name), table: String(table), sql: String(sql ?? '') })),
    shadow: listed('shadow'),
    virtual: listed('virtual'),
    columns: columns.map(readColumn),
    indexColumns: indexColumns.map(([table, index, unique, partial, column, origin]) => ({
      table: String(table),
      index: String(index),
      unique: unique === 1,
      partial: partial === 1,
      constraint: origin !== 'c',
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

/** A view that no longer matches its tables fails the whole statement. In that case, read object by object and skip the broken views. */
async function readColumns(connection: Connection, readAtOnce: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
  try {
    return await readAtOnce();
  } catch (error) {
    if (!isBroken(error)) throw error;
    return readColumnsOneByOne(connection);
  }
}

const broken: ReadonlySet<DatabaseErrorKind> = new Set(['broken', 'stale-schema', 'other']);

const isBroken = (error: unknown): boolean => error instanceof DatabaseError && broken.has(error.kind);

/** A read that failed has changed nothing, so each statement `recovers`: inside a transaction the next one is accepted. */
async function readColumnsOneByOne(connection: Connection): Promise<readonly Row[]> {
  const read = (text: string, ...values: readonly string[]): Promise<readonly Row[]> =>
    connection.rows({ kind: 'read', text, values, recovers: true });
  const found: Row[] = [];
  for (const [name] of await read("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")) {
    const columns = await read(`${allTexts.columns} AND m.name = ?`, String(name)).catch((error: unknown) => {
      if (isBroken(error)) return [];
      throw error;
    });
    found.push(...columns);
  }
  // The last view may have been a broken one.
  await read('SELECT 1');
  return found;
}
