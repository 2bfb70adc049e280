// Statements on the service's own tables that need no binding: whole rows by equal columns, each value bound by its column's type.
// What callers ask for never comes this way.

import type { ColumnType } from '../schema/field-type.js';
import type { TableName } from '../schema/table-name.js';
import { coerceValue } from '../schema/values.js';
import type { InsertForm, KeptInserts } from './kept-inserts.js';
import type { LateStatement } from './render-late.js';
import { empty, join, type Sql, sql } from './sql.js';
import type { Syntax } from './syntax.js';

export interface PlainTable {
  readonly table: TableName;
  readonly types: ReadonlyMap<string, ColumnType>;
}

export type PlainRow = Readonly<Record<string, unknown>>;

/** Rows that come by the thousand: their values are canonical already, in the order of the columns. */
export interface PlainRows {
  /** What is the same in all of them, beside the columns; what is null is left to the table. */
  readonly common: PlainRow;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Rows as JSON texts of the given columns. Conditions are equalities; null asks for null, a list for one of its members. */
export function selectRows(syntax: Syntax, plain: PlainTable, columns: readonly string[], where: PlainRow): Sql {
  const pairs = columns.map((name) => {
    const typed = { sql: sql`t0.${syntax.identifier(name)}`, type: typeOf(plain, name), column: null };
    return [name, syntax.json(typed, null)] as const;
  });
  const page = {
    from: sql`${syntax.table(plain.table)} t0`,
    alias: 't0',
    columns,
    where: Object.keys(where).length === 0 ? null : conditions(syntax, plain, where),
    order: [],
    limit: null,
    offset: null,
  };
  return syntax.root({ kind: 'object', pairs }, page, false);
}

/** One statement for all rows, which have the columns of the first. */
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

/** The same of few rows, from a text that is kept; `end` stands behind them, and `name` tells it from others. */
export function insertFewRows(
  kept: KeptInserts,
  syntax: Syntax,
  plain: PlainTable,
  { common, columns, rows }: PlainRows,
  { name, end }: { readonly name: string; readonly end: () => Sql },
): LateStatement {
  const shared = setColumns(common);
  const form = (): InsertForm => ({
    columns: [...shared, ...columns],
    head: insertHead(syntax, plain, [...shared, ...columns]),
    cell: (column, entry) => canonicalValue(syntax, plain, column, entry),
    end: end(),
  });
  const values = shared.map((column) => canonical(plain, column, common[column]));
  return kept.statement(syntax, `${name}\n${shared.join('\n')}`, form, { common: values, rows });
}

const setColumns = (row: PlainRow): readonly string[] => Object.keys(row).filter((column) => row[column] !== null);

const insertHead = (syntax: Syntax, plain: PlainTable, names: readonly string[]): Sql =>
  sql`INSERT INTO ${syntax.table(plain.table)} (${join(names.map(syntax.identifier), ', ')}) VALUES `;

export function updateRows(syntax: Syntax, plain: PlainTable, set: PlainRow, where: PlainRow): Sql {
  const assignments = Object.entries(set).map(([name, entry]) => sql`${syntax.identifier(name)} = ${value(syntax, plain, name, entry)}`);
  return sql`UPDATE ${syntax.table(plain.table)} SET ${join(assignments, ', ')}${whereOf(syntax, plain, where)}`;
}

/** Adds one to a counter column, so that two writers at once both count. */
export function countUp(syntax: Syntax, plain: PlainTable, column: string, where: PlainRow): Sql {
  const counter = syntax.identifier(column);
  return sql`UPDATE ${syntax.table(plain.table)} SET ${counter} = ${counter} + 1${whereOf(syntax, plain, where)}`;
}

export const deleteRows = (syntax: Syntax, plain: PlainTable, where: PlainRow): Sql =>
  sql`DELETE FROM ${syntax.table(plain.table)}${whereOf(syntax, plain, where)}`;

/** Rows whose time has come: `column` before `time`. */
export const deleteRowsBefore = (syntax: Syntax, plain: PlainTable, column: string, time: string): Sql =>
  sql`DELETE FROM ${syntax.table(plain.table)} WHERE ${syntax.identifier(column)} < ${value(syntax, plain, column, time)}`;

/** Rows whose `column` names a row of another table whose time has come. */
export const deleteRowsWith = (syntax: Syntax, plain: PlainTable, column: string, other: PlainTable, since: string, time: string): Sql => {
  const named = sql`SELECT ${syntax.identifier('id')} FROM ${syntax.table(other.table)} WHERE ${syntax.identifier(since)} < ${value(syntax, other, since, time)}`;
  return sql`DELETE FROM ${syntax.table(plain.table)} WHERE ${syntax.identifier(column)} IN (${named})`;
};

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

/** An empty list has no member: nothing matches. */
function isOneOf(syntax: Syntax, plain: PlainTable, name: string, entries: readonly unknown[]): Sql {
  if (entries.length === 0) return sql`1 = 0`;
  const values = entries.map((entry) => value(syntax, plain, name, entry));
  return sql`${syntax.identifier(name)} IN (${join(values, ', ')})`;
}

const value = (syntax: Syntax, plain: PlainTable, name: string, entry: unknown): Sql =>
  canonicalValue(syntax, plain, name, canonical(plain, name, entry));

const canonicalValue = (syntax: Syntax, plain: PlainTable, name: string, entry: unknown): Sql =>
  syntax.param({ kind: 'written', value: entry }, typeOf(plain, name), null);

function canonical(plain: PlainTable, name: string, entry: unknown): unknown {
  const type = typeOf(plain, name);
  // A text stands for itself, not for the JSON that may be written in it.
  const coerced = coerceValue(type, type === 'json' && typeof entry === 'string' ? JSON.stringify(entry) : (entry ?? null));
  if (!coerced.ok) throw new Error(`${plain.table.name}.${name} ${coerced.message}`);
  return coerced.value;
}

function typeOf(plain: PlainTable, name: string): ColumnType {
  const type = plain.types.get(name);
  if (type === undefined) throw new Error(`table ${plain.table.name} has no column ${name}`);
  return type;
}
