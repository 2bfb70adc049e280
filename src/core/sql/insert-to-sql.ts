// New rows. Rows with the same columns go into one statement, as many as its parameters allow; keys that the database makes come
// back with it.

import type { Collection } from '../schema/schema.js';
import type { WriteVendor } from './keys-to-sql.js';
import { empty, join, type Sql, sql, trusted } from './sql.js';
import { columnField, columnType, tableOf, written } from './written.js';

export type RowValues = ReadonlyMap<string, unknown>;

export interface InsertStatement {
  readonly statement: Sql;
  /** How many of the rows it makes, in their order. */
  readonly count: number;
}

/** All rows have the columns of the first. `returning`: the fields whose values are wanted back; none for none. */
export function insertToSql(
  vendor: WriteVendor,
  collection: Collection,
  rows: readonly RowValues[],
  returning: readonly string[],
  answer: Sql | null = null,
): readonly InsertStatement[] {
  const columns = [...(rows[0]?.keys() ?? [])];
  const end = returningClause(vendor, returning, answer);
  if (columns.length === 0) return emptyInserts(vendor, collection, rows.length, end);
  const size = Math.max(1, Math.floor(vendor.write.maxParameters / columns.length));
  const statements: InsertStatement[] = [];
  for (let from = 0; from < rows.length; from += size) {
    const some = rows.slice(from, from + size);
    statements.push({ statement: insertRows(vendor, collection, columns, some, end), count: some.length });
  }
  return statements;
}

function insertRows(vendor: WriteVendor, collection: Collection, columns: readonly string[], rows: readonly RowValues[], end: Sql): Sql {
  const { syntax, write } = vendor;
  const fields = columns.map((name) => columnField(collection, name));
  const names = join(columns.map(syntax.identifier), ', ');
  const overriding = fields.some((field) => field.column.autoIncrement) ? write.overriding : empty;
  const cells = fields.map((field) => write.value(columnType(field), field.column));
  const pieces: Sql[] = [];
  for (const row of rows) {
    pieces.push(pieces.length === 0 ? opening : following);
    for (const [index, cell] of cells.entries()) {
      if (index > 0) pieces.push(comma);
      pieces.push(cell(written(row.get(columns[index] ?? '') ?? null)));
    }
  }
  return sql`INSERT INTO ${syntax.table(tableOf(collection))} (${names})${overriding} VALUES ${join(pieces, '')})${end}`;
}

const opening = trusted('(');
const following = trusted('), (');
const comma = trusted(', ');

function emptyInserts(vendor: WriteVendor, collection: Collection, count: number, end: Sql): readonly InsertStatement[] {
  const key = columnField(collection, collection.primaryKey[0] ?? '');
  return vendor.write
    .emptyRows(vendor.syntax.table(tableOf(collection)), key.column, count)
    .map(({ statement, count: some }) => ({ statement: sql`${statement}${end}`, count: some }));
}

function returningClause({ syntax, write }: WriteVendor, fields: readonly string[], answer: Sql | null): Sql {
  const told = [...fields.map(syntax.identifier), ...(answer === null ? [] : [answer])];
  return told.length === 0 || !write.insertReturns ? empty : sql` RETURNING ${join(told, ', ')}`;
}
