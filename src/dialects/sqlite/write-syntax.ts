// Writing on SQLite: values are bound by the field's type; the writer is alone, so nothing needs locking.

import type { RawColumn } from '../../core/schema/raw.js';
import { empty, join, param, type Sql, sql, trusted } from '../../core/sql/sql.js';
import type { WriteSyntax } from '../../core/sql/write-syntax.js';
import { encodeValue } from './parameters.js';
import { sqliteSyntax } from './syntax.js';

const value: WriteSyntax['value'] = (type, column) => {
  const encode = encodeValue(type, column, false);
  return (source) => param({ source, type, list: false, lenient: false, cast: '', encode });
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
  advanceCounter: () => null,
  forUpdate: empty,
  updateEach: ({ table, alias, keys, columns, rows, guard }) => {
    const lines = join(
      rows.map((cells) => sql`(${join(cells, ', ')})`),
      ', ',
    );
    const names = [...keys.map((_, index) => `k${index}`), ...columns.map((_, index) => `c${index}`)].join(', ');
    const set = join(
      columns.map((name, index) => sql`${sqliteSyntax.identifier(name)} = v.${trusted(`c${index}`)}`),
      ', ',
    );
    const match = join(
      keys.map((name, index) => sql`${trusted(alias)}.${sqliteSyntax.identifier(name)} = v.${trusted(`k${index}`)}`),
      ' AND ',
    );
    // A name no table may have: it would hide that table from the guard.
    return sql`WITH sqlite_v(${trusted(names)}) AS (VALUES ${lines}) UPDATE ${table} AS ${trusted(alias)} SET ${set} FROM sqlite_v AS v WHERE ${match}${guard === null ? empty : sql` AND ${guard}`}`;
  },
  deleteFrom: (table, alias, where) => sql`DELETE FROM ${table} AS ${trusted(alias)} WHERE ${where}`,
};

/** NULL for the row's own number makes a new one; there is no DEFAULT inside VALUES. */
function countedRows(table: Sql, key: RawColumn, count: number): Sql {
  const rows = join(
    Array.from({ length: count }, () => trusted('(NULL)')),
    ', ',
  );
  return sql`INSERT INTO ${table} (${sqliteSyntax.identifier(key.name)}) VALUES ${rows}`;
}
