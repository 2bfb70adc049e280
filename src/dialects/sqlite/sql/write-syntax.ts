// The WriteSyntax port of SQLite. Values are bound by the type of the field. There is one writer, so no row needs a lock.

import type { RawColumn } from '../../../core/schema/raw.js';
import { matchKeys, setColumns, updateTable, valueNames, valueParam, valueRows } from '../../../core/sql/shared-syntax.js';
import { empty, join, type Sql, sql, trusted } from '../../../core/sql/sql.js';
import type { WriteSyntax } from '../../../core/sql/write-syntax.js';
import { encodeStored } from './parameters.js';
import { sqliteSyntax } from './syntax.js';

const value: WriteSyntax['value'] = (type, column) => {
  const encode = encodeStored(type, column);
  return (source) => valueParam(source, type, '', encode);
};

export const sqliteWriteSyntax: WriteSyntax = {
  maxParameters: 32_000,
  insertReturns: true,
  guardsInPlace: 'always',
  value,
  typedValue: value,
  overriding: empty,
  emptyRows: (table, key, count) => {
    if (!key.autoIncrement) return Array.from({ length: count }, () => ({ statement: sql`INSERT INTO ${table} DEFAULT VALUES`, count: 1 }));
    return [{ statement: countedRows(table, key, count), count }];
  },
  lastKey: () => empty,
  drawValues: () => null,
  /** The rows of one INSERT have consecutive rowids. A key other than the rowid may still be NULL, for a trigger to set afterwards. */
  lastRows: (table, columns, count) =>
    sql`SELECT ${columns} FROM ${table} WHERE rowid > last_insert_rowid() - ${trusted(String(count))} AND rowid <= last_insert_rowid() ORDER BY rowid`,
  advanceCounter: () => null,
  aliasesViews: false,
  forUpdate: empty,
  updateSame: (update) => updateTable(update, sqliteSyntax),
  updateEach: (update) => {
    const { table, alias, guard } = update;
    const names = trusted(valueNames(update).join(', '));
    const where = sql`${matchKeys(update, sqliteSyntax)}${guard === null ? empty : sql` AND ${guard}`}`;
    // The name must be one that no table can have: a WITH of the same name would hide that table from the guard.
    return sql`WITH sqlite_v(${names}) AS (VALUES ${valueRows(update)}) UPDATE ${table} AS ${trusted(alias)} SET ${setColumns(update, sqliteSyntax)} FROM sqlite_v AS v WHERE ${where}`;
  },
  deleteFrom: (table, alias, where) => sql`DELETE FROM ${table} AS ${trusted(alias)} WHERE ${where}`,
};

/** NULL for the rowid generates one. SQLite has no DEFAULT inside VALUES. */
function countedRows(table: Sql, key: RawColumn, count: number): Sql {
  const rows = join(
    Array.from({ length: count }, () => trusted('(NULL)')),
    ', ',
  );
  return sql`INSERT INTO ${table} (${sqliteSyntax.identifier(key.name)}) VALUES ${rows}`;
}
