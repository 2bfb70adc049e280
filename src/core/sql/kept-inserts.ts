// INSERTs of a few rows come again and again with other values: their texts are written once and kept by what they depend on, which is
// the form of the rows and where late values stand in them.

import { isLate, type Late, type LatePlace, LateText } from './late-value.js';
import { plainConstant } from './plain-constant.js';
import { type Bind, bindInto, bindWritten, type LateStatement, writeLate } from './render-late.js';
import { type BoundValue, join, type Param, paramsOf, type Sql, sql } from './sql.js';
import type { Syntax } from './syntax.js';

export interface InsertForm {
  /** Up to VALUES. */
  readonly head: Sql;
  /** One value of a column, with one parameter in it. */
  readonly cell: (column: string, value: unknown) => Sql;
  /** What is told. */
  readonly end: Sql;
}

export interface InsertChoices {
  /** Gives the values of what is told. */
  readonly bind?: Bind;
  /** What is the same in all rows is bound once, where the vendor can: for rows of which that is known to depend on their kind. */
  readonly shares?: boolean;
}

interface Kept {
  readonly text: string;
  readonly encoders: readonly Param['encode'][];
  readonly ending: readonly Param[];
}

const mostKept = 200;

export class KeptInserts {
  readonly #kept = new Map<string, Kept>();

  /** `name` tells the form from others of the same columns; `rows`: values in the order of the columns. */
  statement(
    syntax: Syntax,
    columns: readonly string[],
    name: string,
    form: () => InsertForm,
    rows: readonly (readonly unknown[])[],
    { bind = bindWritten, shares = false }: InsertChoices = {},
  ): LateStatement {
    const common = shares && syntax.placeholder(1) !== syntax.placeholder(2) ? commonColumns(columns, rows) : noColumns;
    const places = syntax.late?.inText === true ? placesOf(rows) : rows.length;
    const key = `${name}\n${columns.join('\n')}\n${[...common].join()}\n${places}`;
    const kept = this.#kept.get(key) ?? this.#keep(key, write(syntax, columns, form(), rows, common));
    const { encoders } = kept;
    const values: BoundValue[] = [];
    const lates: LatePlace[] = [];
    // Plain loops: every value of every write comes through here.
    for (const row of rows) {
      for (let index = 0; index < encoders.length; index += 1) {
        if (row !== rows[0] && common.has(index)) continue;
        const value = row[index];
        const encode = encoders[index];
        bindInto(syntax, isLate(value) ? value : (encode?.(value) ?? null), values, lates);
      }
    }
    for (const param of kept.ending) bindInto(syntax, bind(param), values, lates);
    return { text: kept.text, values, lates };
  }

  #keep(key: string, kept: Kept): Kept {
    if (this.#kept.size >= mostKept) this.#kept.clear();
    this.#kept.set(key, kept);
    return kept;
  }
}

/** How many rows there are, where late values stand in them, and whose they are. */
function placesOf(rows: readonly (readonly unknown[])[]): string {
  let places = '';
  for (const row of rows) {
    for (let index = 0; index < row.length; index += 1) {
      const value = row[index];
      if (isLate(value)) places += `${index}:${nameOf(value)};`;
    }
    places += '\n';
  }
  return places;
}

function nameOf(late: Late): string {
  if (!(late instanceof LateText)) return String(late);
  return late.parts.map((part) => (typeof part === 'string' ? '' : nameOf(part))).join('+');
}

const noColumns: ReadonlySet<number> = new Set();

/** The places of the columns in which all rows have the value of the first. */
function commonColumns(columns: readonly string[], rows: readonly (readonly unknown[])[]): ReadonlySet<number> {
  const [first = [], ...others] = rows;
  if (others.length === 0) return noColumns;
  return new Set([...columns.keys()].filter((index) => others.every((row) => row[index] === first[index])));
}

function write(
  syntax: Syntax,
  columns: readonly string[],
  { head, cell, end }: InsertForm,
  rows: readonly (readonly unknown[])[],
  common: ReadonlySet<number>,
): Kept {
  const once = new Map([...common].map((index) => [index, cell(columns[index] ?? '', rows[0]?.[index])]));
  const lines = rows.map(
    (row) =>
      sql`(${join(
        columns.map((column, index) => once.get(index) ?? cell(column, row[index])),
        ', ',
      )})`,
  );
  const whole = sql`${head}${join(lines, ', ')}${end}`;
  // What is told holds no values of the rows, so nothing late.
  const bindRows: Bind = (param) => (param.source.kind === 'written' ? bindWritten(param) : null);
  const { text } = writeLate(syntax, whole, bindRows, new Set([...once.values()].flatMap(paramsOf)));
  return { text, encoders: columns.map((column) => encoderOf(cell(column, null))), ending: end.parts.filter(isBound) };
}

const isParam = (part: string | Param): part is Param => typeof part !== 'string';

/** Plain constants stand in the text. */
const isBound = (part: string | Param): part is Param => isParam(part) && plainConstant(part) === null;

function encoderOf(cell: Sql): Param['encode'] {
  const param = cell.parts.find(isParam);
  if (param === undefined) throw new Error('a cell has one parameter');
  return param.encode;
}
