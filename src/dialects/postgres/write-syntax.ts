// Writing on PostgreSQL: a parameter takes the type of the column it is stored in; in a derived table the column's exact type is
// written beside it.

import type { ColumnType } from '../../core/schema/field-type.js';
import type { RawColumn } from '../../core/schema/raw.js';
import { type BoundValue, empty, join, param, type Sql, sql, trusted } from '../../core/sql/sql.js';
import type { WriteCell, WriteSyntax } from '../../core/sql/write-syntax.js';
import { encodeValue } from './parameters.js';
import { postgresSyntax } from './syntax.js';

/** A boolean kept in a column of numbers is a number. */
function encodeFor(type: ColumnType, column: RawColumn): (canonical: unknown) => BoundValue {
  if (type !== 'boolean' || column.type === 'boolean') return encodeValue(type);
  return (canonical) => (typeof canonical === 'boolean' ? Number(canonical) : null);
}

const exactType = (column: RawColumn): string => String(column.vendor['sqlType']);

/** GeoJSON goes through PostGIS where the column is one of its types. */
const isPostgis = (type: ColumnType, column: RawColumn): boolean => type.startsWith('geometry') && column.dataType === 'USER-DEFINED';

function cell(type: ColumnType, column: RawColumn, cast: string): WriteCell {
  const encode = encodeFor(type, column);
  const bind: WriteCell = (source) => param({ source, type, list: false, lenient: false, cast, encode });
  return isPostgis(type, column) ? (source) => sql`ST_GeomFromGeoJSON(${bind(source)})` : bind;
}

export const postgresWriteSyntax: WriteSyntax = {
  maxParameters: 65_000,
  insertReturns: true,
  guardsInPlace: 'always',
  value: (type, column) => cell(type, column, ''),
  typedValue: (type, column) => cell(type, column, isPostgis(type, column) ? '' : `::${exactType(column)}`),
  overriding: trusted(' OVERRIDING SYSTEM VALUE'),
  emptyRows: (table, key, count) => {
    const rows = join(
      Array.from({ length: count }, () => trusted('(DEFAULT)')),
      ', ',
    );
    return [{ statement: sql`INSERT INTO ${table} (${postgresSyntax.identifier(key.name)}) VALUES ${rows}`, count }];
  },
  lastKey: () => empty,
  /** Only ever forwards; a sequence is not part of the transaction. */
  advanceCounter: (table, column, highest) => {
    const sequence = sequenceOf(postgresSyntax.table(table), column);
    return sql`SELECT setval(s, h) FROM (SELECT ${sequence} AS s, ${highest}::bigint AS h) q WHERE s IS NOT NULL AND h > COALESCE(pg_sequence_last_value(s), 0)`;
  },
  forUpdate: trusted(' FOR UPDATE'),
  updateEach: ({ table, alias, keys, columns, rows, guard }) => {
    const lines = join(
      rows.map((cells) => sql`(${join(cells, ', ')})`),
      ', ',
    );
    const names = [...keys.map((_, index) => `k${index}`), ...columns.map((_, index) => `c${index}`)].join(', ');
    const set = join(
      columns.map((name, index) => sql`${postgresSyntax.identifier(name)} = v.${trusted(`c${index}`)}`),
      ', ',
    );
    const match = join(
      keys.map((name, index) => sql`${trusted(alias)}.${postgresSyntax.identifier(name)} = v.${trusted(`k${index}`)}`),
      ' AND ',
    );
    return sql`UPDATE ${table} AS ${trusted(alias)} SET ${set} FROM (VALUES ${lines}) AS v(${trusted(names)}) WHERE ${match}${guard === null ? empty : sql` AND ${guard}`}`;
  },
  deleteFrom: (table, alias, where) => sql`DELETE FROM ${table} AS ${trusted(alias)} WHERE ${where}`,
};

/** The sequence the column counts with: the catalogue tells it; otherwise the one the column owns. */
function sequenceOf(table: Sql, column: RawColumn): Sql {
  const named = column.vendor['sequence'];
  if (typeof named === 'string') return literal(named, '::regclass');
  const owner = table.parts.map(String).join('');
  return sql`pg_get_serial_sequence(${literal(owner, '')}, ${literal(column.name, '')})::regclass`;
}

const literal = (text: string, cast: string): Sql => trusted(`'${text.replaceAll("'", "''")}'${cast}`);
