// INSERT statements of items. Rows with the same columns share one statement, as many as its parameters allow; the keys that the database
// generates come back with it.

import type { Collection } from '../schema/schema.js';
import { type GeneratedKeys, isPending, type PendingPlace } from '../sql/pending-key.js';
import { plainConstant } from '../sql/plain-constant.js';
import { type BoundValue, empty, join, paramsOf, render, type Sql, sql } from '../sql/sql.js';
import type { WriteVendor } from '../sql/write/keys-to-sql.js';
import { columnField, columnType, type RowValues, tableOf, written } from '../sql/written.js';
import { NamedValues } from '../util/named-values.js';
import { type InsertForm, InsertTextCache, maxCachedRows } from './insert-text-cache.js';
import { type Bind, type BoundStatement, bindWritten, renderPending } from './render-pending.js';

/** Values are flat and encoded already: a bulk of thousands of rows is not worth an object for each value. */
export interface InsertStatement {
  readonly kind: 'insert';
  readonly tables: readonly string[];
  readonly text: string;
  readonly values: readonly BoundValue[];
  readonly pending?: readonly PendingPlace[];
  /** How many of the rows it inserts; statements take the rows in order. */
  readonly count: number;
}

/** What an INSERT returns of its rows. */
export interface Returning {
  /** The fields whose values are wanted. */
  readonly fields: readonly string[];
  /** The batch that the one field belongs to: statements sent behind the INSERT may refer to its values as pending keys. */
  readonly batch?: GeneratedKeys | null;
  /** The JSON text of the item, where the INSERT can answer the request itself. */
  readonly answer?: Sql;
}

/** All rows have the columns of the first. `bind` gives the values of the parameters in the answer. */
export function insertToSql(
  vendor: WriteVendor,
  collection: Collection,
  rows: readonly RowValues[],
  returning: Returning,
  bind: Bind = bindWritten,
): readonly InsertStatement[] {
  const columns = [...(rows[0]?.keys() ?? [])];
  if (columns.length === 0) return emptyInserts(vendor, collection, rows.length, returning, bind);
  if (rows.length <= maxCachedRows) return [{ kind: 'insert', count: rows.length, ...fewRows(vendor, collection, rows, returning, bind) }];
  const size = Math.max(1, Math.floor(vendor.write.maxParameters / columns.length));
  const statements: InsertStatement[] = [];
  for (let from = 0; from < rows.length; from += size) {
    const some = rows.slice(from, from + size);
    const insert = some.some(hasPending)
      ? pendingRows(vendor, collection, some, returning, bind)
      : manyRows(vendor, collection, some, returning);
    statements.push({ kind: 'insert', count: some.length, ...insert });
  }
  return statements;
}

function hasPending(values: RowValues): boolean {
  for (const value of values.values()) if (isPending(value)) return true;
  return false;
}

/** Each row is written by itself, since the text depends on the places of pending keys. */
function pendingRows(
  vendor: WriteVendor,
  collection: Collection,
  rows: readonly RowValues[],
  returning: Returning,
  bind: Bind,
): BoundStatement {
  const columns = [...(rows[0]?.keys() ?? [])];
  const lines = rows.map((values) => {
    const cells = columns.map((name) => cellOf(vendor, collection, name, values.get(name) ?? null));
    return sql`(${join(cells, ', ')})`;
  });
  const { head } = insertParts(vendor, collection, columns);
  return renderPending(vendor.syntax, sql`${head}${join(lines, ', ')}${returningClause(vendor, returning)}`, (param) =>
    param.source.kind === 'written' ? bindWritten(param) : bind(param),
  );
}

/** Repeats the text of one row. */
function manyRows(
  vendor: WriteVendor,
  collection: Collection,
  rows: readonly RowValues[],
  returning: Returning,
): Pick<InsertStatement, 'tables' | 'text' | 'values'> {
  const columns = [...(rows[0]?.keys() ?? [])];
  const { head, row } = insertParts(vendor, collection, columns);
  const end = textOf(vendor, returningClause(vendor, returning));
  const text = `${textOf(vendor, head)}${rowTexts(vendor, row, rows.length)}${end}`;
  return { tables: head.tables, text, values: encodeRows(row, columns, rows) };
}

/** Whether an INSERT of this many rows can return the answer: `manyRows` binds the rows only, so the answer must not need parameters there. */
export const canAnswer = (answer: Sql, rows: number): boolean =>
  rows <= maxCachedRows || paramsOf(answer).every((param) => plainConstant(param) !== null);

/** The texts of each vendor, by the answer they return or else by their collection; both live as long as the schema they belong to. */
const caches = new WeakMap<WriteVendor['write'], WeakMap<Sql | Collection, InsertTextCache>>();

function cacheFor({ write }: WriteVendor, owner: Sql | Collection): InsertTextCache {
  const ofVendor = caches.get(write) ?? new WeakMap<Sql | Collection, InsertTextCache>();
  caches.set(write, ofVendor);
  const found = ofVendor.get(owner) ?? new InsertTextCache();
  ofVendor.set(owner, found);
  return found;
}

function fewRows(
  vendor: WriteVendor,
  collection: Collection,
  rows: readonly RowValues[],
  returning: Returning,
  bind: Bind,
): BoundStatement {
  const columns = [...(rows[0]?.keys() ?? [])];
  const values = rows.map((row) => columns.map((name) => row.get(name) ?? null));
  const name = `${columns.join('\n')}\n\n${returning.fields.join('\n')}\n${returning.batch?.place ?? ''}`;
  const form = (): InsertForm => ({
    columns,
    head: insertParts(vendor, collection, columns).head,
    cell: (column, value) => cellOf(vendor, collection, column, value),
    end: returningClause(vendor, returning),
  });
  return cacheFor(vendor, returning.answer ?? collection).statement(vendor.syntax, name, form, { common: [], rows: values }, bind);
}

interface InsertParts {
  readonly head: Sql;
  /** `(…)` with one parameter for each column. */
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
  const cell = isPending(value) ? write.typedValue(columnType(field), field.column) : write.value(columnType(field), field.column);
  return cell(written(value));
}

const textOf = ({ syntax }: WriteVendor, statement: Sql): string => render(statement, syntax.placeholder).text;

/** Only numbered placeholders differ from row to row. */
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

/** INSERTs of rows that consist of defaults alone. */
function emptyInserts(
  vendor: WriteVendor,
  collection: Collection,
  count: number,
  returning: Returning,
  bind: Bind,
): readonly InsertStatement[] {
  const { syntax, write } = vendor;
  const key = columnField(collection, collection.primaryKey[0] ?? '');
  const end = returningClause(vendor, returning);
  return write
    .emptyRows(syntax.table(tableOf(collection)), key.column, count)
    .map((some) => ({ kind: 'insert', count: some.count, ...renderPending(syntax, sql`${some.statement}${end}`, bind) }));
}

function returningClause({ syntax, write }: WriteVendor, { fields, answer, batch = null }: Returning): Sql {
  if (!write.insertReturns) return empty;
  const names = fields.map(syntax.identifier);
  const [first] = names;
  const keep = batch === null || first === undefined ? null : (syntax.pending?.keep(batch, first) ?? null);
  const returned = [...names, ...(answer === undefined ? [] : [answer]), ...(keep === null ? [] : [keep])];
  return returned.length === 0 ? empty : sql` RETURNING ${join(returned, ', ')}`;
}
