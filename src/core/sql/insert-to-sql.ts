// New rows. Rows with the same columns go into one statement, as many as its parameters allow; keys that the database makes come
// back with it.

import { NamedValues } from '../schema/named-values.js';
import type { Collection } from '../schema/schema.js';
import { type InsertForm, KeptInserts } from './kept-inserts.js';
import type { WriteVendor } from './keys-to-sql.js';
import { type Counter, isLate, type LatePlace, mostCounted } from './late-value.js';
import { plainConstant } from './plain-constant.js';
import { type Bind, bindWritten, type LateStatement, renderLate } from './render-late.js';
import { type BoundValue, empty, join, paramsOf, render, type Sql, sql } from './sql.js';
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

/** All rows have the columns of the first. `bind` gives the values of the answer. */
export function insertToSql(
  vendor: WriteVendor,
  collection: Collection,
  rows: readonly RowValues[],
  telling: Telling,
  bind: Bind = bindWritten,
): readonly InsertStatement[] {
  const columns = [...(rows[0]?.keys() ?? [])];
  if (columns.length === 0) return emptyInserts(vendor, collection, rows.length, telling, bind);
  if (rows.length <= mostCounted) return [{ count: rows.length, ...fewRows(vendor, collection, rows, telling, bind) }];
  const size = Math.max(1, Math.floor(vendor.write.maxParameters / columns.length));
  const statements: InsertStatement[] = [];
  for (let from = 0; from < rows.length; from += size) {
    const some = rows.slice(from, from + size);
    const insert = some.some(hasLate) ? lateRows(vendor, collection, some, telling, bind) : manyRows(vendor, collection, some, telling);
    statements.push({ count: some.length, ...insert });
  }
  return statements;
}

function hasLate(values: RowValues): boolean {
  for (const value of values.values()) if (isLate(value)) return true;
  return false;
}

/** Each row is written with its own values; the text is too long to be kept. */
function lateRows(vendor: WriteVendor, collection: Collection, rows: readonly RowValues[], telling: Telling, bind: Bind): LateStatement {
  const columns = [...(rows[0]?.keys() ?? [])];
  const lines = rows.map((values) => {
    const cells = columns.map((name) => cellOf(vendor, collection, name, values.get(name) ?? null));
    return sql`(${join(cells, ', ')})`;
  });
  const { head } = insertParts(vendor, collection, columns);
  return renderLate(vendor.syntax, sql`${head}${join(lines, ', ')}${returningClause(vendor, telling)}`, (param) =>
    param.source.kind === 'written' ? bindWritten(param) : bind(param),
  );
}

/** One row's text again and again. */
function manyRows(
  vendor: WriteVendor,
  collection: Collection,
  rows: readonly RowValues[],
  telling: Telling,
): Omit<InsertStatement, 'count'> {
  const columns = [...(rows[0]?.keys() ?? [])];
  const { head, row } = insertParts(vendor, collection, columns);
  const end = textOf(vendor, returningClause(vendor, telling));
  return { text: `${textOf(vendor, head)}${rowTexts(vendor, row, rows.length)}${end}`, values: encodeRows(row, columns, rows) };
}

/** Whether so many rows can tell it: of many the text is written without parameters of its own. */
export const canTell = (answer: Sql, rows: number): boolean =>
  rows <= mostCounted || paramsOf(answer).every((param) => plainConstant(param) !== null);

/** By the answer they tell, or by their table. */
const kept = new WeakMap<WriteVendor['write'], WeakMap<Sql | Collection, KeptInserts>>();

function keptFor({ write }: WriteVendor, owner: Sql | Collection): KeptInserts {
  const ofVendor = kept.get(write) ?? new WeakMap<Sql | Collection, KeptInserts>();
  kept.set(write, ofVendor);
  const found = ofVendor.get(owner) ?? new KeptInserts();
  ofVendor.set(owner, found);
  return found;
}

function fewRows(vendor: WriteVendor, collection: Collection, rows: readonly RowValues[], telling: Telling, bind: Bind): LateStatement {
  const columns = [...(rows[0]?.keys() ?? [])];
  const values = rows.map((row) => columns.map((name) => row.get(name) ?? null));
  const name = `${columns.join('\n')}\n\n${telling.returning.join('\n')}\n${telling.counter?.place ?? ''}`;
  const form = (): InsertForm => ({
    columns,
    head: insertParts(vendor, collection, columns).head,
    cell: (column, value) => cellOf(vendor, collection, column, value),
    end: returningClause(vendor, telling),
  });
  return keptFor(vendor, telling.answer ?? collection).statement(vendor.syntax, name, form, { common: [], rows: values }, bind);
}

interface InsertParts {
  readonly head: Sql;
  /** `(…)` with a parameter for each column. */
  readonly row: Sql;
}

function insertParts(vendor: WriteVendor, collection: Collection, columns: readonly string[]): InsertParts {
  const { syntax, write } = vendor;
  const names = join(columns.map(syntax.identifier), ', ');
  const overriding = columns.some((name) => columnField(collection, name).column.autoIncrement) ? write.overriding : empty;
  return {
    head: sql`INSERT INTO ${syntax.table(tableOf(collection))} (${names})${overriding} VALUES `,
    row: sql`(${join(
      columns.map((name) => cellOf(vendor, collection, name, null)),
      ', ',
    )})`,
  };
}

function cellOf({ write }: WriteVendor, collection: Collection, name: string, value: unknown): Sql {
  const field = columnField(collection, name);
  const cell = isLate(value) ? write.typedValue(columnType(field), field.column) : write.value(columnType(field), field.column);
  return cell(written(value));
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
  const [first] = rows;
  const names = first instanceof NamedValues ? first.names : null;
  const values: BoundValue[] = [];
  for (const each of rows) {
    const cells = each instanceof NamedValues && each.names === names ? each.cells : columns.map((name) => each.get(name));
    for (let index = 0; index < encoders.length; index += 1) values.push(encoders[index]?.(cells[index] ?? null) ?? null);
  }
  return values;
}

/** Of rows without a value of their own; each statement makes `count` of them. */
function emptyInserts(
  vendor: WriteVendor,
  collection: Collection,
  count: number,
  telling: Telling,
  bind: Bind,
): readonly InsertStatement[] {
  const { syntax, write } = vendor;
  const key = columnField(collection, collection.primaryKey[0] ?? '');
  const end = returningClause(vendor, telling);
  return write
    .emptyRows(syntax.table(tableOf(collection)), key.column, count)
    .map((some) => ({ count: some.count, ...renderLate(syntax, sql`${some.statement}${end}`, bind) }));
}

function returningClause({ syntax, write }: WriteVendor, { returning, answer, counter = null }: Telling): Sql {
  if (!write.insertReturns) return empty;
  const fields = returning.map(syntax.identifier);
  const [first] = fields;
  const kept = counter === null || first === undefined ? null : (syntax.late?.keep(counter, first) ?? null);
  const told = [...fields, ...(answer === undefined ? [] : [answer]), ...(kept === null ? [] : [kept])];
  return told.length === 0 ? empty : sql` RETURNING ${join(told, ', ')}`;
}
