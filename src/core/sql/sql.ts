// SQL as an opaque value: text that only the `sql` tag makes, with typed parameters in it. A string can never become SQL, and a
// parameter cannot be written without the type it is bound by.

import type { ValueSource } from '../plan/value-source.js';
import type { ColumnType } from '../schema/field-type.js';
import { plainConstant } from './plain-constant.js';

/** What a driver takes. Each dialect's `encode` makes these from canonical values. */
export type BoundValue = string | number | bigint | boolean | null | Uint8Array | readonly (string | number | bigint | boolean | null)[];

export interface Param {
  readonly source: ValueSource;
  /** The field's type the value is checked and bound by. */
  readonly type: ColumnType;
  /** A list of such values (`_in`). */
  readonly list: boolean;
  /** A value that does not fit the type binds as null instead of failing (search: a text that is no number finds no number). */
  readonly lenient: boolean;
  /** From the canonical value of `type` to what the driver binds. */
  readonly encode: (canonical: unknown) => BoundValue;
  /** The vendor's cast around the placeholder (`$1::integer`), '' for none. */
  readonly cast: string;
}

const brand = Symbol('sql');

export interface Sql {
  readonly [brand]: true;
  readonly parts: readonly (string | Param)[];
}

/** A rendered statement: text with the vendor's placeholders, and its parameters in order. Plain constants of the plan stand in the text. */
export interface Rendered {
  readonly text: string;
  readonly params: readonly Param[];
}

export type SqlPart = Sql | Param;

const make = (parts: readonly (string | Param)[]): Sql => ({ [brand]: true, parts });

export function sql(strings: TemplateStringsArray, ...values: readonly SqlPart[]): Sql {
  const parts: (string | Param)[] = [];
  strings.forEach((text, index) => {
    if (text !== '') parts.push(text);
    const value = values[index];
    if (value !== undefined) append(parts, value);
  });
  return make(parts);
}

function append(parts: (string | Param)[], value: SqlPart): void {
  // One by one: a bulk statement has more parts than a call may have arguments.
  if (isSql(value)) for (const part of value.parts) parts.push(part);
  else parts.push(value);
}

const isSql = (value: SqlPart): value is Sql => brand in value;

export const paramsOf = ({ parts }: Sql): readonly Param[] => parts.filter((part) => typeof part !== 'string');

export const param = (value: Param): Sql => make([value]);
export const empty: Sql = make([]);

/** Text the service itself wrote: keywords, quoted identifiers, checked numbers. Only `core/sql` and `dialects` may call it. */
export const trusted = (text: string): Sql => make([text]);

export function join(items: readonly Sql[], separator: string): Sql {
  const parts: (string | Param)[] = [];
  items.forEach((item, index) => {
    if (index > 0) parts.push(separator);
    for (const part of item.parts) parts.push(part);
  });
  return make(parts);
}

/** Checked integer as text: the one kind of value that may stand in the text of a statement. */
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
  return { text, params };
}
