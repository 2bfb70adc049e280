// New rows. Rows with the same columns go into one statement, as many as its parameters allow; keys that the database makes come
// back with it.

import type { Collection } from '../schema/schema.js';
import type { WriteVendor } from './keys-to-sql.js';
import { type Counter, isLate, type LatePlace } from './late-value.js';
import { bindWritten, renderLate } from './render-late.js';
import { type BoundValue, empty, join, render, type Sql, sql } from './sql.js';
import { columnField, columnType, tableOf, written } from './written.js';

export type RowValues = ReadonlyMap<string, unknown>;

/** Ready to be sent: a bulk of values is not worth an object for each. */
export interface InsertStatement {
  readonly text: string;
  readonly values: readonly BoundValue[];
  readonly lates?: readonly LatePlace[];
  /** How many of the rows it makes, in their order. */
  readonly count: number;
}

/** What an INSERT tells of its rows. */
export interface Telling {
  /** The fields whose values are wanted back; none for none. */
  readonly returning: readonly string[];
  /** Keeps the one value of `returning` for others to name. */
  readonly counter?: Counter | null;
  readonly answer?: Sql;
}

/** All rows have the columns of the first. */
export function insertToSql(
  vendor: WriteVendor,
  collection: Collection,
  rows: readonly RowValues[],
  telling: Telling,
): readonly InsertStatement[] {
  const columns = [...(rows[0]?.keys() ?? [])];
  const end = returningClause(vendor, telling);
  if (columns.length === 0)
    return emptyInserts(vendor, collection, rows.length).map(({ statement, count }) => ({
      text: textOf(vendor, sql`${statement}${end}`),
      values: [],
      count,
    }));
  if (rows.some(hasLate))
    return [{ ...renderLate(vendor.syntax, lateInsert(vendor, collection, rows, telling), bindWritten), count: rows.length }];
  const { head, row } = insertParts(vendor, collection, columns);
  const size = Math.max(1, Math.floor(vendor.write.maxParameters / columns.length));
  const statements: InsertStatement[] = [];
  for (let from = 0; from < rows.length; from += size) {
    const some = rows.slice(from, from + size);
    const text = `${textOf(vendor, head)}${rowTexts(vendor, row, some.length)}${textOf(vendor, end)}`;
    statements.push({ text, values: encodeRows(row, columns, some), count: some.length });
  }
  return statements;
}

function hasLate(values: RowValues): boolean {
  for (const value of values.values()) if (isLate(value)) return true;
  return false;
}

/** Few rows, each written with its own values. */
export function lateInsert(vendor: WriteVendor, collection: Collection, rows: readonly RowValues[], telling: Telling): Sql {
  const end = returningClause(vendor, telling);
  const columns = [...(rows[0]?.keys() ?? [])];
  const [emptied] = columns.length === 0 ? emptyInserts(vendor, collection, 1) : [];
  if (emptied !== undefined) return sql`${emptied.statement}${end}`;
  const { head } = insertParts(vendor, collection, columns);
  const lines = rows.map((values) => sql`(${join(cellsOf(vendor, collection, columns, values), ', ')})`);
  return sql`${head}${join(lines, ', ')}${end}`;
}

interface InsertParts {
  readonly head: Sql;
  /** `(…)` with a parameter for each column. */
  readonly row: Sql;
}

const noValues: RowValues = new Map();

function insertParts(vendor: WriteVendor, collection: Collection, columns: readonly string[]): InsertParts {
  const { syntax, write } = vendor;
  const names = join(columns.map(syntax.identifier), ', ');
  const overriding = columns.some((name) => columnField(collection, name).column.autoIncrement) ? write.overriding : empty;
  return {
    head: sql`INSERT INTO ${syntax.table(tableOf(collection))} (${names})${overriding} VALUES `,
    row: sql`(${join(cellsOf(vendor, collection, columns, noValues), ', ')})`,
  };
}

function cellsOf({ write }: WriteVendor, collection: Collection, columns: readonly string[], values: RowValues): readonly Sql[] {
  return columns.map((name) => {
    const [field, value] = [columnField(collection, name), values.get(name) ?? null];
    const cell = isLate(value) ? write.typedValue(columnType(field), field.column) : write.value(columnType(field), field.column);
    return cell(written(value));
  });
}

const textOf = ({ syntax }: WriteVendor, statement: Sql): string => render(statement, syntax.placeholder).text;

/** The text of the row again and again; only placeholders with numbers have to be written anew. */
function rowTexts({ syntax }: WriteVendor, row: Sql, count: number): string {
  if (syntax.placeholder(1) === syntax.placeholder(2))
    return new Array<string>(count).fill(render(row, syntax.placeholder).text).join(', ');
  let placed = 0;
  let texts = '';
  for (let made = 0; made < count; made += 1) {
    if (made > 0) texts += ', ';
    for (const part of row.parts) texts += typeof part === 'string' ? part : `${syntax.placeholder(++placed)}${part.cast}`;
  }
  return texts;
}

function encodeRows(row: Sql, columns: readonly string[], rows: readonly RowValues[]): readonly BoundValue[] {
  const encoders = row.parts.flatMap((part) => (typeof part === 'string' ? [] : [part.encode]));
  const cells = encoders.map((encode, index) => ({ name: columns[index] ?? '', encode }));
  const values: BoundValue[] = [];
  for (const each of rows) for (const { name, encode } of cells) values.push(encode(each.get(name) ?? null));
  return values;
}

/** Of rows without a value of their own; each statement makes `count` of them. */
function emptyInserts(
  { syntax, write }: WriteVendor,
  collection: Collection,
  count: number,
): ReturnType<WriteVendor['write']['emptyRows']> {
  const key = columnField(collection, collection.primaryKey[0] ?? '');
  return write.emptyRows(syntax.table(tableOf(collection)), key.column, count);
}

function returningClause({ syntax, write }: WriteVendor, { returning, answer, counter = null }: Telling): Sql {
  if (!write.insertReturns) return empty;
  const fields = returning.map(syntax.identifier);
  const [first] = fields;
  const kept = counter === null || first === undefined ? null : (syntax.late?.keep(counter, first) ?? null);
  const told = [...fields, ...(answer === undefined ? [] : [answer]), ...(kept === null ? [] : [kept])];
  return told.length === 0 ? empty : sql` RETURNING ${join(told, ', ')}`;
}
