// New rows. Rows with the same columns go into one statement, as many as its parameters allow; keys that the database makes come
// back with it.

import type { Collection } from '../schema/schema.js';
import type { WriteVendor } from './keys-to-sql.js';
import { type BoundValue, empty, join, render, type Sql, sql } from './sql.js';
import { columnField, columnType, tableOf, written } from './written.js';

export type RowValues = ReadonlyMap<string, unknown>;

/** Ready to be sent: a bulk of values is not worth an object for each. */
export interface InsertStatement {
  readonly text: string;
  readonly values: readonly BoundValue[];
  /** How many of the rows it makes, in their order. */
  readonly count: number;
}

/** All rows have the columns of the first. `returning`: the fields whose values are wanted back; none for none. */
export function insertToSql(
  vendor: WriteVendor,
  collection: Collection,
  rows: readonly RowValues[],
  returning: readonly string[],
): readonly InsertStatement[] {
  const columns = [...(rows[0]?.keys() ?? [])];
  const end = returningClause(vendor, returning, null);
  if (columns.length === 0)
    return emptyInserts(vendor, collection, rows.length).map(({ statement, count }) => ({
      text: textOf(vendor, sql`${statement}${end}`),
      values: [],
      count,
    }));
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

/** One new row that also tells `answer` of itself. */
export function answeringInsert(
  vendor: WriteVendor,
  collection: Collection,
  values: RowValues,
  returning: readonly string[],
  answer: Sql,
): Sql {
  const end = returningClause(vendor, returning, answer);
  const [emptied] = values.size === 0 ? emptyInserts(vendor, collection, 1) : [];
  if (emptied !== undefined) return sql`${emptied.statement}${end}`;
  const { head, row } = insertParts(vendor, collection, [...values.keys()], values);
  return sql`${head}${row}${end}`;
}

interface InsertParts {
  readonly head: Sql;
  /** `(…)` with a parameter for each column. */
  readonly row: Sql;
}

function insertParts({ syntax, write }: WriteVendor, collection: Collection, columns: readonly string[], values?: RowValues): InsertParts {
  const fields = columns.map((name) => columnField(collection, name));
  const names = join(columns.map(syntax.identifier), ', ');
  const overriding = fields.some((field) => field.column.autoIncrement) ? write.overriding : empty;
  const cells = fields.map((field) => write.value(columnType(field), field.column)(written(values?.get(field.name) ?? null)));
  return {
    head: sql`INSERT INTO ${syntax.table(tableOf(collection))} (${names})${overriding} VALUES `,
    row: sql`(${join(cells, ', ')})`,
  };
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

function returningClause({ syntax, write }: WriteVendor, fields: readonly string[], answer: Sql | null): Sql {
  const told = [...fields.map(syntax.identifier), ...(answer === null ? [] : [answer])];
  return told.length === 0 || !write.insertReturns ? empty : sql` RETURNING ${join(told, ', ')}`;
}
