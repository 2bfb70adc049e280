// Statements on the service's own tables without binding: whole rows selected by equality, each value bound by the type of its column.
// Requests of callers never use this.

import type { RawColumn } from '../schema/raw.js';
import type { TableName } from '../schema/table-name.js';
import { coerceValue } from '../schema/types/coerce-value.js';
import type { ColumnType } from '../schema/types/field-type.js';
import { empty, join, type Sql, sql } from './sql.js';
import type { Syntax } from './syntax.js';

export interface PlainTable {
  readonly table: TableName;
  readonly types: ReadonlyMap<string, ColumnType>;
  /** Columns as found in a table that the service did not make: they refine how values are read and written. null: as defined. */
  readonly columns: ReadonlyMap<string, RawColumn> | null;
}

export type PlainRow = Readonly<Record<string, unknown>>;

/** Rows written in bulk. Their values are canonical already and in the order of the columns. */
export interface PlainRows {
  /** The values that all rows share, in addition to the columns; null values are left to the defaults of the table. */
  readonly common: PlainRow;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Selects rows as JSON texts of the given columns. Conditions are equalities; null tests for null, a list for membership. */
export function selectRows(
  syntax: Syntax,
  plain: PlainTable,
  columns: readonly string[],
  where: PlainRow,
  limit: number | null = null,
): Sql {
  return selectWhere(syntax, plain, columns, Object.keys(where).length === 0 ? null : conditions(syntax, plain, where), limit);
}

export interface Before {
  readonly column: string;
  readonly time: string;
  readonly limit: number;
}

/** Rows that `deleteRowsBefore` would delete. */
export const selectRowsBefore = (syntax: Syntax, plain: PlainTable, columns: readonly string[], { column, time, limit }: Before): Sql =>
  selectWhere(syntax, plain, columns, isBefore(syntax, plain, column, time), limit);

function selectWhere(syntax: Syntax, plain: PlainTable, columns: readonly string[], where: Sql | null, limit: number | null): Sql {
  const pairs = columns.map((name) => {
    const typed = { sql: sql`t0.${syntax.identifier(name)}`, type: typeOf(plain, name), column: columnOf(plain, name) };
    return [name, syntax.json(typed, null)] as const;
  });
  const page = {
    from: sql`${syntax.table(plain.table)} t0`,
    alias: 't0',
    columns,
    where,
    order: [],
    limit,
    offset: null,
  };
  return syntax.root({ kind: 'object', pairs }, page, false);
}

/** One statement for all rows, which must have the columns of the first. */
export function insertRows(syntax: Syntax, plain: PlainTable, rows: readonly PlainRow[]): Sql {
  const columns = Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => columns.map((name) => canonical(plain, name, row[name])));
  return insertManyRows(syntax, plain, { common: {}, columns, rows: cells });
}

export function insertManyRows(syntax: Syntax, plain: PlainTable, { common, columns, rows }: PlainRows): Sql {
  const shared = setColumns(common);
  const cells = shared.map((name) => value(syntax, plain, name, common[name]));
  const lines = rows.map(
    (row) => sql`(${join([...cells, ...columns.map((name, index) => canonicalValue(syntax, plain, name, row[index]))], ', ')})`,
  );
  return sql`${insertHead(syntax, plain, [...shared, ...columns])}${join(lines, ', ')}`;
}

export const setColumns = (row: PlainRow): readonly string[] => Object.keys(row).filter((column) => row[column] !== null);

export const insertHead = (syntax: Syntax, plain: PlainTable, names: readonly string[]): Sql =>
  sql`INSERT INTO ${syntax.table(plain.table)} (${join(names.map(syntax.identifier), ', ')}) VALUES `;

export function updateRows(syntax: Syntax, plain: PlainTable, set: PlainRow, where: PlainRow): Sql {
  const assignments = Object.entries(set).map(([name, entry]) => sql`${syntax.identifier(name)} = ${value(syntax, plain, name, entry)}`);
  return sql`UPDATE ${syntax.table(plain.table)} SET ${join(assignments, ', ')}${whereOf(syntax, plain, where)}`;
}

/** Replaces values of one column by others, all at once: one may be renamed to the former name of another. */
export function replaceValues(syntax: Syntax, plain: PlainTable, column: string, by: ReadonlyMap<string, string>): Sql {
  const name = syntax.identifier(column);
  const cases = [...by].map(
    ([from, to]) => sql` WHEN ${name} = ${value(syntax, plain, column, from)} THEN ${value(syntax, plain, column, to)}`,
  );
  return sql`UPDATE ${syntax.table(plain.table)} SET ${name} = CASE${join(cases, '')} ELSE ${name} END WHERE ${isOneOf(syntax, plain, column, [...by.keys()])}`;
}

/** Increments a counter column in the database, so that concurrent writers both count. */
export function countUp(syntax: Syntax, plain: PlainTable, column: string, where: PlainRow): Sql {
  const counter = syntax.identifier(column);
  return sql`UPDATE ${syntax.table(plain.table)} SET ${counter} = ${counter} + 1${whereOf(syntax, plain, where)}`;
}

export const deleteRows = (syntax: Syntax, plain: PlainTable, where: PlainRow): Sql =>
  sql`DELETE FROM ${syntax.table(plain.table)}${whereOf(syntax, plain, where)}`;

/** Deletes rows whose `column` is before `time`. */
export const deleteRowsBefore = (syntax: Syntax, plain: PlainTable, column: string, time: string): Sql =>
  sql`DELETE FROM ${syntax.table(plain.table)} WHERE ${isBefore(syntax, plain, column, time)}`;

/** Compares through `comparable`, because a column that another program filled may hold numbers, all of which sort before text. */
function isBefore(syntax: Syntax, plain: PlainTable, column: string, time: string): Sql {
  const typed = { sql: syntax.identifier(column), type: typeOf(plain, column), column: columnOf(plain, column) };
  return sql`${syntax.comparable(typed)} < ${value(syntax, plain, column, time)}`;
}

const whereOf = (syntax: Syntax, plain: PlainTable, where: PlainRow): Sql =>
  Object.keys(where).length === 0 ? empty : sql` WHERE ${conditions(syntax, plain, where)}`;

function conditions(syntax: Syntax, plain: PlainTable, where: PlainRow): Sql {
  const terms = Object.entries(where).map(([name, entry]) => {
    const column = syntax.identifier(name);
    if (entry === null) return sql`${column} IS NULL`;
    return Array.isArray(entry) ? isOneOf(syntax, plain, name, entry) : sql`${column} = ${value(syntax, plain, name, entry)}`;
  });
  return join(terms, ' AND ');
}

/** An empty list matches nothing. */
function isOneOf(syntax: Syntax, plain: PlainTable, name: string, entries: readonly unknown[]): Sql {
  if (entries.length === 0) return sql`1 = 0`;
  const values = entries.map((entry) => value(syntax, plain, name, entry));
  return sql`${syntax.identifier(name)} IN (${join(values, ', ')})`;
}

const value = (syntax: Syntax, plain: PlainTable, name: string, entry: unknown): Sql =>
  canonicalValue(syntax, plain, name, canonical(plain, name, entry));

export const canonicalValue = (syntax: Syntax, plain: PlainTable, name: string, entry: unknown): Sql =>
  syntax.param({ kind: 'written', value: entry }, typeOf(plain, name), columnOf(plain, name));

export function canonical(plain: PlainTable, name: string, entry: unknown): unknown {
  const type = typeOf(plain, name);
  // A string is a JSON string here, not a JSON text to be parsed.
  const coerced = coerceValue(type, type === 'json' && typeof entry === 'string' ? JSON.stringify(entry) : (entry ?? null));
  if (!coerced.ok) throw new Error(`${plain.table.name}.${name} ${coerced.fault.sentence}`);
  return coerced.value;
}

const columnOf = (plain: PlainTable, name: string): RawColumn | null => plain.columns?.get(name) ?? null;

function typeOf(plain: PlainTable, name: string): ColumnType {
  const type = plain.types.get(name);
  if (type === undefined) throw new Error(`table ${plain.table.name} has no column ${name}`);
  return type;
}
