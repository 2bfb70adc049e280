// SQL as an opaque value: text that only the `sql` tag creates, with typed parameters in it. A string can never become SQL, and a parameter
// cannot be written without the type it is bound by.

import type { ValueSource } from '../plan/names/value-source.js';
import type { ValueFacts } from '../schema/types/coerced.js';
import type { ColumnType } from '../schema/types/field-type.js';
import { plainConstant } from './plain-constant.js';

/** What a driver accepts. Each dialect's `encode` makes these from canonical values. */
export type BoundValue = string | number | bigint | boolean | null | Uint8Array | readonly (string | number | bigint | boolean | null)[];

export interface Param {
  readonly source: ValueSource;
  /** The field type by which the value is coerced and bound. */
  readonly type: ColumnType;
  /** How values of the compared column look, if the type alone does not tell. */
  readonly facts?: ValueFacts;
  /** The field it is compared with, for the error message if the value does not fit. */
  readonly field?: string;
  /** A list of such values (`_in`). */
  readonly list: boolean;
  /** A value that does not fit the type is bound as null instead of failing (search: a text that is no number matches no number). */
  readonly lenient: boolean;
  /** From the canonical value of `type` to what the driver binds. */
  readonly encode: (canonical: unknown) => BoundValue;
  /** The vendor's cast after the placeholder (`$1::integer`); '' for none. */
  readonly cast: string;
}

const brand = Symbol('sql');

export interface Sql {
  readonly [brand]: true;
  readonly parts: readonly (string | Param)[];
  /** The names of the tables it refers to, in the order of their first occurrence. */
  readonly tables: readonly string[];
}

/**
 * A rendered statement: text with the vendor's placeholders, and its parameters in order. Plain constants of the plan are part of the text.
 */
export interface Rendered {
  readonly text: string;
  readonly params: readonly Param[];
  readonly tables: readonly string[];
}

export type SqlPart = Sql | Param;

const noTables: readonly string[] = [];

const make = (parts: readonly (string | Param)[], tables: readonly string[] = noTables): Sql => ({ [brand]: true, parts, tables });

/** Most fragments name no table: then nothing is allocated. */
function addTables(known: readonly string[], more: readonly string[]): readonly string[] {
  if (more.length === 0 || known === more) return known;
  return known.length === 0 ? more : [...new Set([...known, ...more])];
}

export function sql(strings: TemplateStringsArray, ...values: readonly SqlPart[]): Sql {
  const parts: (string | Param)[] = [];
  let tables = noTables;
  strings.forEach((text, index) => {
    if (text !== '') parts.push(text);
    const value = values[index];
    if (value === undefined) return;
    if (isSql(value)) {
      appendParts(parts, value);
      tables = addTables(tables, value.tables);
    } else parts.push(value);
  });
  return make(parts, tables);
}

/** One by one: a bulk statement has more parts than a call may have arguments. */
function appendParts(parts: (string | Param)[], value: Sql): void {
  for (const part of value.parts) parts.push(part);
}

const isSql = (value: SqlPart): value is Sql => brand in value;

export const paramsOf = ({ parts }: Sql): readonly Param[] => parts.filter((part) => typeof part !== 'string');

export const param = (value: Param): Sql => make([value]);
export const empty: Sql = make([]);

/** Text that the service itself wrote: keywords, quoted identifiers, checked numbers. Only core/sql and the dialects may call this. */
export const trusted = (text: string): Sql => make([text]);

/** The quoted name of a table. A statement knows the tables it names by these fragments (`Statement.tables`). */
export const tableReference = (quoted: string, name: string): Sql => make([quoted], [name]);

export function join(items: readonly Sql[], separator: string): Sql {
  const parts: (string | Param)[] = [];
  let tables = noTables;
  items.forEach((item, index) => {
    if (index > 0) parts.push(separator);
    appendParts(parts, item);
    tables = addTables(tables, item.tables);
  });
  return make(parts, tables);
}

/** A checked integer as text. */
export function integer(value: number): Sql {
  if (!Number.isSafeInteger(value)) throw new Error('not an integer');
  return trusted(String(value));
}

export function render(statement: Sql, placeholder: (index: number) => string): Rendered {
  const params: Param[] = [];
  let text = '';
  for (const part of statement.parts) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const constant = plainConstant(part);
    if (constant === null) params.push(part);
    text += (constant ?? placeholder(params.length)) + part.cast;
  }
  return { text, params, tables: statement.tables };
}

/** Joins conditions as a balanced tree: SQLite limits the depth of an expression, and a flat chain of ANDs or ORs counts as a deep one. */
export function balanced(parts: readonly Sql[], glue: ' AND ' | ' OR ', neutral: string): Sql {
  const only = parts[0];
  if (only === undefined) return trusted(neutral);
  if (parts.length === 1) return only;
  const middle = parts.length >> 1;
  return sql`(${balanced(parts.slice(0, middle), glue, neutral)}${trusted(glue)}${balanced(parts.slice(middle), glue, neutral)})`;
}
