// The WriteSyntax port of MariaDB and MySQL. MySQL has no RETURNING, and its UPDATE and DELETE cannot read the table they change; MariaDB
// supports the former, and the latter in statements on a single table.

import type { RawColumn } from '../../../core/schema/raw.js';
import type { ColumnType } from '../../../core/schema/types/field-type.js';
import { matchKeys, setColumns, updateTable, valueNames, valueParam } from '../../../core/sql/shared-syntax.js';
import { empty, join, type Sql, sql, trusted } from '../../../core/sql/sql.js';
import type { WriteCell, WriteSyntax } from '../../../core/sql/write-syntax.js';
import type { Server } from '../types/server.js';
import { bitsOfColumn, columnFacts, sridOfColumn } from '../types/vendor-facts.js';
import { encodeValue } from './parameters.js';
import { mysqlSyntax } from './syntax.js';

/** Without a reference system of the column, a shape has none (0): MariaDB reads it so, MySQL would take it for one on the globe. */
const valueFor =
  (server: () => Server): WriteSyntax['value'] =>
  (type, column) => {
    const encode = encodeValue(type, false);
    const bind: WriteCell = (source) => valueParam(source, type, '', encode);
    if (bitsOfColumn(column) !== null) return (source) => sql`CAST(CONV(${bind(source)}, 2, 10) AS UNSIGNED)`;
    if (!type.startsWith('geometry')) return bind;
    if (server().mariadb) return (source) => sql`ST_GeomFromGeoJSON(${bind(source)})`;
    const srid = trusted(sridOfColumn(column) ?? '0');
    return (source) => sql`ST_GeomFromGeoJSON(${bind(source)}, 1, ${srid})`;
  };

/** A value in a derived table: integers stay integers and text gets the column's collation, so that the join can use the index of the key. */
function typed(bound: Sql, type: ColumnType, column: RawColumn): Sql {
  if (type === 'integer' || type === 'bigInteger' || type === 'boolean')
    return sql`CAST(${bound} AS ${trusted(columnFacts(column).unsigned ? 'UNSIGNED' : 'SIGNED')})`;
  const { collation } = column;
  if (collation === null) return bound;
  return sql`CONVERT(${bound} USING ${trusted(charsetOf(collation))}) COLLATE ${trusted(collation)}`;
}

/** SELECTs an expression of the catalogue `count` times, evaluated for each row. */
const repeated = (expression: string, count: number): Sql =>
  sql`SELECT (${trusted(expression)}) FROM JSON_TABLE(CONCAT('[0', REPEAT(',0', ${trusted(String(count - 1))}), ']'), '$[*]' COLUMNS(n FOR ORDINALITY)) r`;

const charsetOf = (collation: string): string => collation.split('_')[0] ?? collation;

export function createWriteSyntax(server: () => Server): WriteSyntax {
  const value = valueFor(server);
  return {
    maxParameters: 65_000,
    get insertReturns() {
      return server().mariadb;
    },
    // MariaDB treats an UPDATE with a join and a DELETE with an alias as multi-table statements, which cannot read the table they change.
    get guardsInPlace() {
      return server().mariadb ? 'single row' : 'never';
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
    drawValues: (_table, column, count) => (column.default?.kind === 'expression' ? repeated(String(column.default.value), count) : null),
    lastRows: () => null,
    advanceCounter: () => null,
    aliasesViews: true,
    forUpdate: trusted(' FOR UPDATE'),
    // Before 11.1 MariaDB does not look up the keys of a list in an UPDATE of one table: it reads, and locks, every row. With a join it does.
    updateSame: (update) =>
      update.single
        ? updateTable(update, mysqlSyntax)
        : updateTable(update, mysqlSyntax, { prefix: `${update.alias}.`, joined: trusted(' JOIN (SELECT 1) one') }),
    updateEach: (update) => {
      const { table, alias, rows, guard } = update;
      const names = valueNames(update);
      const lines = rows.map(
        (cells) =>
          sql`SELECT ${join(
            cells.map((cell, index) => sql`${cell} AS ${trusted(names[index] ?? '')}`),
            ', ',
          )}`,
      );
      const [match, set] = [matchKeys(update, mysqlSyntax), setColumns(update, mysqlSyntax, `${alias}.`)];
      const where = guard === null ? empty : sql` WHERE ${guard}`;
      return sql`UPDATE ${table} AS ${trusted(alias)} JOIN (${join(lines, ' UNION ALL ')}) v ON ${match} SET ${set}${where}`;
    },
    deleteFrom: (table, alias, where) => sql`DELETE ${trusted(alias)} FROM ${table} AS ${trusted(alias)} WHERE ${where}`,
  };
}
