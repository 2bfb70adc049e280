// The texts of INSERTs with few rows. Creates of the same shape come again with other values, so a text is written once and found by all
// it depends on: the form of the rows, and the places of pending keys in them. A hit only has to bind the values.

import { isPending, type Pending, PendingKey, type PendingPlace } from '../sql/pending-key.js';
import { plainConstant } from '../sql/plain-constant.js';
import { type BoundValue, join, type Param, paramsOf, type Sql, sql } from '../sql/sql.js';
import type { Syntax } from '../sql/syntax.js';
import { Lru } from '../util/lru.js';
import { type Bind, type BoundStatement, bindInto, bindWritten, writeTemplate } from './render-pending.js';

/** The text of an INSERT with more rows is not cached: it is long, and the same number of rows seldom comes again. */
export const maxCachedRows = 16;

export interface InsertForm {
  /** The columns of the values common to all rows, then those of the single rows. */
  readonly columns: readonly string[];
  /** The statement up to and including VALUES. */
  readonly head: Sql;
  /** One value of a column, with exactly one parameter in it. */
  readonly cell: (column: string, value: unknown) => Sql;
  /** What follows the rows: a RETURNING clause or nothing. */
  readonly end: Sql;
}

/** Values in the order of the columns. */
export interface InsertedValues {
  /** The same in all rows: bound once where placeholders are numbered. */
  readonly common: readonly unknown[];
  readonly rows: readonly (readonly unknown[])[];
}

interface CachedInsert {
  readonly tables: readonly string[];
  readonly text: string;
  readonly common: readonly Param['encode'][];
  readonly own: readonly Param['encode'][];
  /** The parameters of `InsertForm.end`. */
  readonly ending: readonly Param[];
}

const maxTexts = 200;

export class InsertTextCache {
  readonly #texts = new Lru<string, CachedInsert>(maxTexts);

  /** `name` distinguishes the form from others of this cache; `bind` gives the values of the parameters in `form.end`. */
  statement(syntax: Syntax, name: string, form: () => InsertForm, inserted: InsertedValues, bind: Bind = bindWritten): BoundStatement {
    const { common, rows } = inserted;
    const key = `${name}\n${syntax.pending?.inText === true ? placesOf(rows) : rows.length}`;
    const cached = this.#texts.get(key) ?? this.#add(key, write(syntax, form(), inserted));
    const repeats = !bindsOnce(syntax);
    const values: BoundValue[] = [];
    const pending: PendingPlace[] = [];
    for (const row of rows) {
      if (repeats || row === rows[0]) bindCells(syntax, cached.common, common, values, pending);
      bindCells(syntax, cached.own, row, values, pending);
    }
    for (const param of cached.ending) bindInto(syntax, bind(param), values, pending);
    return { tables: cached.tables, text: cached.text, values, pending };
  }

  #add(key: string, insert: CachedInsert): CachedInsert {
    this.#texts.set(key, insert);
    return insert;
  }
}

/** Numbered placeholders can refer to the same value several times. */
const bindsOnce = (syntax: Syntax): boolean => syntax.placeholder(1) !== syntax.placeholder(2);

/** A plain loop: every value of every write passes here. */
function bindCells(
  syntax: Syntax,
  encoders: readonly Param['encode'][],
  cells: readonly unknown[],
  values: BoundValue[],
  pending: PendingPlace[],
): void {
  for (let index = 0; index < encoders.length; index += 1) {
    const value = cells[index];
    bindInto(syntax, isPending(value) ? value : (encoders[index]?.(value) ?? null), values, pending);
  }
}

/** The number of rows, and the place and name of every pending value in them. */
function placesOf(rows: readonly (readonly unknown[])[]): string {
  let places = '';
  for (const row of rows) {
    for (let index = 0; index < row.length; index += 1) {
      const value = row[index];
      if (isPending(value)) places += `${index}:${nameOf(value)};`;
    }
    places += '\n';
  }
  return places;
}

function nameOf(pending: Pending): string {
  if (pending instanceof PendingKey) return pending.name;
  let name = '';
  for (const part of pending.parts) if (typeof part !== 'string') name += `${part.name}+`;
  return name;
}

function write(syntax: Syntax, { columns, head, cell, end }: InsertForm, { common, rows }: InsertedValues): CachedInsert {
  const own = columns.slice(common.length);
  const first = common.map((value, index) => cell(columns[index] ?? '', value));
  const lines = rows.map((row) => sql`(${join([...first, ...own.map((column, index) => cell(column, row[index]))], ', ')})`);
  const whole = sql`${head}${join(lines, ', ')}${end}`;
  // `end` holds no values of the rows, hence nothing pending: any value will do for its parameters while the text is written.
  const bindRows: Bind = (param) => (param.source.kind === 'written' ? bindWritten(param) : null);
  const once = new Set(bindsOnce(syntax) ? first.flatMap(paramsOf) : []);
  const encoders = columns.map((column) => encoderOf(cell(column, null)));
  return {
    tables: whole.tables,
    text: writeTemplate(syntax, whole, bindRows, once).text,
    common: encoders.slice(0, common.length),
    own: encoders.slice(common.length),
    ending: end.parts.filter(isBound),
  };
}

const isParam = (part: string | Param): part is Param => typeof part !== 'string';

/** Plain constants are part of the text. */
const isBound = (part: string | Param): part is Param => isParam(part) && plainConstant(part) === null;

function encoderOf(cell: Sql): Param['encode'] {
  const param = cell.parts.find(isParam);
  if (param === undefined) throw new Error('a cell has one parameter');
  return param.encode;
}
