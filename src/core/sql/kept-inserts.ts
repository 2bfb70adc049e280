// INSERTs of a few rows come again and again with other values: their texts are written once and kept by what they depend on, which is
// the form of the rows and where late values stand in them.

import { isLate, type Late, type LatePlace, LateValue } from './late-value.js';
import { plainConstant } from './plain-constant.js';
import { type Bind, bindInto, bindWritten, type LateStatement, writeLate } from './render-late.js';
import { type BoundValue, join, type Param, paramsOf, type Sql, sql } from './sql.js';
import type { Syntax } from './syntax.js';

export interface InsertForm {
  /** Those of what is common, then those of the rows. */
  readonly columns: readonly string[];
  /** Up to VALUES. */
  readonly head: Sql;
  /** One value of a column, with one parameter in it. */
  readonly cell: (column: string, value: unknown) => Sql;
  /** What is told. */
  readonly end: Sql;
}

/** Values in the order of the columns. */
export interface InsertedValues {
  /** The same in all rows: bound once, where the vendor can. */
  readonly common: readonly unknown[];
  readonly rows: readonly (readonly unknown[])[];
}

interface Kept {
  readonly text: string;
  readonly common: readonly Param['encode'][];
  readonly own: readonly Param['encode'][];
  readonly ending: readonly Param[];
}

const mostKept = 200;

export class KeptInserts {
  readonly #kept = new Map<string, Kept>();

  /** `name` tells the form from others; `bind` gives the values of what is told. */
  statement(syntax: Syntax, name: string, form: () => InsertForm, inserted: InsertedValues, bind: Bind = bindWritten): LateStatement {
    const { common, rows } = inserted;
    const key = `${name}\n${syntax.late?.inText === true ? placesOf(rows) : rows.length}`;
    const kept = this.#kept.get(key) ?? this.#keep(key, write(syntax, form(), inserted));
    const repeats = !bindsOnce(syntax);
    const values: BoundValue[] = [];
    const lates: LatePlace[] = [];
    for (const row of rows) {
      if (repeats || row === rows[0]) bindCells(syntax, kept.common, common, values, lates);
      bindCells(syntax, kept.own, row, values, lates);
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

/** Only where placeholders have numbers. */
const bindsOnce = (syntax: Syntax): boolean => syntax.placeholder(1) !== syntax.placeholder(2);

/** A plain loop: every value of every write comes through here. */
function bindCells(
  syntax: Syntax,
  encoders: readonly Param['encode'][],
  cells: readonly unknown[],
  values: BoundValue[],
  lates: LatePlace[],
): void {
  for (let index = 0; index < encoders.length; index += 1) {
    const value = cells[index];
    bindInto(syntax, isLate(value) ? value : (encoders[index]?.(value) ?? null), values, lates);
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
  if (late instanceof LateValue) return late.name;
  let name = '';
  for (const part of late.parts) if (typeof part !== 'string') name += `${part.name}+`;
  return name;
}

function write(syntax: Syntax, { columns, head, cell, end }: InsertForm, { common, rows }: InsertedValues): Kept {
  const own = columns.slice(common.length);
  const first = common.map((value, index) => cell(columns[index] ?? '', value));
  const lines = rows.map((row) => sql`(${join([...first, ...own.map((column, index) => cell(column, row[index]))], ', ')})`);
  const whole = sql`${head}${join(lines, ', ')}${end}`;
  // What is told holds no values of the rows, so nothing late.
  const bindRows: Bind = (param) => (param.source.kind === 'written' ? bindWritten(param) : null);
  const once = new Set(bindsOnce(syntax) ? first.flatMap(paramsOf) : []);
  const encoders = columns.map((column) => encoderOf(cell(column, null)));
  return {
    text: writeLate(syntax, whole, bindRows, once).text,
    common: encoders.slice(0, common.length),
    own: encoders.slice(common.length),
    ending: end.parts.filter(isBound),
  };
}

const isParam = (part: string | Param): part is Param => typeof part !== 'string';

/** Plain constants stand in the text. */
const isBound = (part: string | Param): part is Param => isParam(part) && plainConstant(part) === null;

function encoderOf(cell: Sql): Param['encode'] {
  const param = cell.parts.find(isParam);
  if (param === undefined) throw new Error('a cell has one parameter');
  return param.encode;
}
