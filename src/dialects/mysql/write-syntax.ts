// Writing on MariaDB and MySQL. MySQL has no RETURNING and refuses a look at the table that is being changed; MariaDB has neither gap.

import type { ColumnType } from '../../core/schema/field-type.js';
import type { RawColumn } from '../../core/schema/raw.js';
import { empty, join, param, type Sql, sql, trusted } from '../../core/sql/sql.js';
import type { WriteCell, WriteSyntax } from '../../core/sql/write-syntax.js';
import { columnFacts } from './column-facts.js';
import { encodeValue } from './parameters.js';
import type { Server } from './server.js';
import { mysqlSyntax } from './syntax.js';

const value: WriteSyntax['value'] = (type) => {
  const encode = encodeValue(type, false);
  const bind: WriteCell = (source) => param({ source, type, list: false, lenient: false, cast: '', encode });
  return type.startsWith('geometry') ? (source) => sql`ST_GeomFromGeoJSON(${bind(source)})` : bind;
};

/** In a derived table whole numbers stay whole and text keeps the column's collation, so that the key's index serves the join. */
function typed(bound: Sql, type: ColumnType, column: RawColumn): Sql {
  if (type === 'integer' || type === 'bigInteger' || type === 'boolean')
    return sql`CAST(${bound} AS ${trusted(columnFacts(column).unsigned ? 'UNSIGNED' : 'SIGNED')})`;
  const { collation } = column;
  if (collation === null) return bound;
  return sql`CONVERT(${bound} USING ${trusted(charsetOf(collation))}) COLLATE ${trusted(collation)}`;
}

const charsetOf = (collation: string): string => collation.split('_')[0] ?? collation;

export function createWriteSyntax(server: () => Server): WriteSyntax {
  return {
    maxParameters: 65_000,
    get insertReturns() {
      return server().mariadb;
    },
    // An UPDATE with a join and a DELETE with an alias are statements on several tables to MariaDB, and may not read their own.
    get guardsInPlace() {
      return server().mariadb ? 'same values' : 'never';
    },
    value,
    typedValue: (type, column) => {
      const bind = value(type, column);
      return (source) => typed(bind(source), type, column);
    },
    overriding: empty,
    emptyRows: (table, key, count) => {
      const rows = join(
        Array.from({ length: count }, () => trusted('(DEFAULT)')),
        ', ',
      );
      return [{ statement: sql`INSERT INTO ${table} (${mysqlSyntax.identifier(key.name)}) VALUES ${rows}`, count }];
    },
    lastKey: () => sql`SELECT LAST_INSERT_ID(), @@auto_increment_increment`,
    advanceCounter: () => null,
    forUpdate: trusted(' FOR UPDATE'),
    updateEach: ({ table, alias, keys, columns, rows, guard }) => {
      const names = [...keys.map((_, index) => `k${index}`), ...columns.map((_, index) => `c${index}`)];
      const lines = rows.map(
        (cells) =>
          sql`SELECT ${join(
            cells.map((cell, index) => sql`${cell} AS ${trusted(names[index] ?? '')}`),
            ', ',
          )}`,
      );
      const match = join(
        keys.map((name, index) => sql`${trusted(alias)}.${mysqlSyntax.identifier(name)} = v.${trusted(`k${index}`)}`),
        ' AND ',
      );
      const set = join(
        columns.map((name, index) => sql`${trusted(alias)}.${mysqlSyntax.identifier(name)} = v.${trusted(`c${index}`)}`),
        ', ',
      );
      const where = guard === null ? empty : sql` WHERE ${guard}`;
      return sql`UPDATE ${table} AS ${trusted(alias)} JOIN (${join(lines, ' UNION ALL ')}) v ON ${match} SET ${set}${where}`;
    },
    deleteFrom: (table, alias, where) => sql`DELETE ${trusted(alias)} FROM ${table} AS ${trusted(alias)} WHERE ${where}`,
  };
}
