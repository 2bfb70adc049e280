// The WriteSyntax port of PostgreSQL. A parameter gets its type from the column it is stored in; in a derived table it needs a cast to the
// exact type of the column.

import type { RawColumn } from '../../../core/schema/raw.js';
import type { ColumnType } from '../../../core/schema/types/field-type.js';
import { matchKeys, setColumns, updateTable, valueNames, valueParam, valueRows } from '../../../core/sql/shared-syntax.js';
import { type BoundValue, empty, join, type Sql, sql, trusted } from '../../../core/sql/sql.js';
import type { WriteCell, WriteSyntax } from '../../../core/sql/write-syntax.js';
import { postgisType } from '../types/vendor-facts.js';
import { encodeValue } from './parameters.js';
import { encodeStructure, isStructured } from './structures.js';
import { postgresSyntax } from './syntax.js';

/** A boolean field may have a numeric column. */
function encodeFor(type: ColumnType, column: RawColumn): (canonical: unknown) => BoundValue {
  if (type === 'unknown' && isStructured(column)) return encodeStructure(column.structure);
  if (type !== 'boolean' || column.type === 'boolean') return encodeValue(type, null);
  return (canonical) => (typeof canonical === 'boolean' ? Number(canonical) : null);
}

const exactType = (column: RawColumn): string => String(column.vendor['sqlType']);

/** GeoJSON as geography, which reads no GeoJSON itself. */
const fromGeoJson = (bound: Sql, prefix: string): Sql => sql`${trusted(prefix)}ST_GeomFromGeoJSON(${bound})::${trusted(prefix)}geography`;

function cell(type: ColumnType, column: RawColumn, cast: string): WriteCell {
  const encode = encodeFor(type, column);
  const bind: WriteCell = (source) => valueParam(source, type, cast, encode);
  const [prefix = '', name] = postgisType(column) ?? [];
  if (name !== 'geography') return bind;
  return (source) => fromGeoJson(valueParam(source, type, '::text', encode), prefix);
}

export const postgresWriteSyntax: WriteSyntax = {
  maxParameters: 65_000,
  insertReturns: true,
  guardsInPlace: 'always',
  value: (type, column) => cell(type, column, ''),
  typedValue: (type, column) => cell(type, column, `::${exactType(column)}`),
  overriding: trusted(' OVERRIDING SYSTEM VALUE'),
  emptyRows: (table, key, count) => {
    const rows = join(
      Array.from({ length: count }, () => trusted('(DEFAULT)')),
      ', ',
    );
    return [{ statement: sql`INSERT INTO ${table} (${postgresSyntax.identifier(key.name)}) VALUES ${rows}`, count }];
  },
  lastKey: () => empty,
  drawValues: (table, column, count) =>
    sql`SELECT nextval(s.s) FROM (SELECT ${sequenceOf(postgresSyntax.table(table), column)} AS s) s, generate_series(1, ${trusted(String(count))})`,
  lastRows: () => null,
  /** Never sets the sequence back: sequences are not transactional, and another transaction may have advanced it. */
  advanceCounter: (table, column, highest) => {
    const sequence = sequenceOf(postgresSyntax.table(table), column);
    return sql`SELECT setval(s, h) FROM (SELECT ${sequence} AS s, ${highest}::bigint AS h) q WHERE s IS NOT NULL AND h > COALESCE(pg_sequence_last_value(s), 0)`;
  },
  aliasesViews: true,
  forUpdate: trusted(' FOR UPDATE'),
  updateSame: (update) => updateTable(update, postgresSyntax),
  updateEach: (update) => {
    const { table, alias, guard } = update;
    const values = sql`(VALUES ${valueRows(update)}) AS v(${trusted(valueNames(update).join(', '))})`;
    const where = sql`${matchKeys(update, postgresSyntax)}${guard === null ? empty : sql` AND ${guard}`}`;
    return sql`UPDATE ${table} AS ${trusted(alias)} SET ${setColumns(update, postgresSyntax)} FROM ${values} WHERE ${where}`;
  },
  deleteFrom: (table, alias, where) => sql`DELETE FROM ${table} AS ${trusted(alias)} WHERE ${where}`,
};

/** The sequence of the column's default, if the catalogue has one; otherwise the sequence that the column owns. */
function sequenceOf(table: Sql, column: RawColumn): Sql {
  const named = column.vendor['sequence'];
  if (typeof named === 'string') return literal(named, '::regclass');
  const owner = table.parts.map(String).join('');
  return sql`pg_get_serial_sequence(${literal(owner, '')}, ${literal(column.name, '')})::regclass`;
}

const literal = (text: string, cast: string): Sql => trusted(`'${text.replaceAll("'", "''")}'${cast}`);
