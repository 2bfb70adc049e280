// What a column says beyond the service's type. `ColumnFacts` are stored in the `vendor` property of a RawColumn, which core passes on without
// reading it; DDL restates a column from them. `readValueFacts` tells core which values the column takes: the words of an enum or set, the
// range of an integer, fractional digits of a second, bits, and dates and times that only this vendor has.

import { refusal } from '../../../core/errors/refusals.js';
import type { RawColumn } from '../../../core/schema/raw.js';
import type { ValueFacts } from '../../../core/schema/types/coerced.js';
import type { ColumnType } from '../../../core/schema/types/field-type.js';

/** Everything that DDL must repeat: MODIFY COLUMN drops every property that it does not state. */
export interface ColumnFacts {
  /** The full type with length and attributes: `int(10) unsigned zerofill`, `enum('a','b')`. */
  readonly columnType: string;
  /** The default as SQL; null for none. */
  readonly defaultSql: string | null;
  readonly onUpdate: string | null;
  readonly invisible: boolean;
  readonly unsigned: boolean;
  readonly zerofill: boolean;
  /** The words of an enum or set. */
  readonly values: readonly string[] | null;
  readonly generation: 'STORED' | 'VIRTUAL' | null;
  /** The check of the column itself, including the `json_valid` of json columns. */
  readonly check: string | null;
}

/** `catalogue/read-column.ts` stores these facts for every column of this vendor. */
export const columnFacts = (column: { readonly vendor: Readonly<Record<string, unknown>> }): ColumnFacts =>
  column.vendor as unknown as ColumnFacts;

interface DeclaredColumn extends Pick<ColumnFacts, 'columnType' | 'unsigned' | 'values'> {
  readonly dataType: string;
  /** Fractional digits of a second; null for a type without a time. */
  readonly fraction: number | null;
}

const integerBits: Readonly<Record<string, bigint>> = { tinyint: 8n, smallint: 16n, mediumint: 24n, int: 32n, bigint: 64n };

const zeroDate = String.raw`(?:0000-\d\d-\d\d|\d{4}-00-\d\d|\d{4}-\d\d-00)`;
const clock = String.raw`T\d\d:\d\d:\d\d(?:\.\d{1,6})?`;

/** Values outside of the service's forms: dates with parts that are zero, and times that are durations. */
const alsoAccepts: Partial<Readonly<Record<ColumnType, RegExp>>> = {
  date: new RegExp(`^${zeroDate}$`),
  dateTime: new RegExp(`^${zeroDate}${clock}$`),
  timestamp: new RegExp(`^${zeroDate}${clock}Z$`),
  time: /^(?:-\d{2,3}|\d{3}|2[4-9]|[3-9]\d):[0-5]\d:[0-5]\d(?:\.\d{1,6})?$/,
};

/** Only the facts in which the column differs from a plain column of its type. */
export function readValueFacts(
  type: ColumnType,
  { dataType, columnType, unsigned, values, fraction }: DeclaredColumn,
): Pick<ValueFacts, 'range' | 'fraction' | 'choices' | 'alsoAccepts' | 'form'> {
  const range = type === 'boolean' ? null : rangeOf(dataType, unsigned);
  const others = dataType === 'enum' ? /^$/ : alsoAccepts[type];
  const bits = bitsOf(columnType);
  return {
    ...(range === null ? {} : { range }),
    ...(fraction === null ? {} : { fraction }),
    ...(values === null ? {} : { choices: values }),
    ...(others === undefined ? {} : { alsoAccepts: others }),
    ...(bits === null || type !== 'unknown'
      ? {}
      : { form: { pattern: new RegExp(`^[01]{1,${bits}}$`), fault: refusal('bits', { max: bits }) } }),
  };
}

/** null: the range is that of the service's type. */
function rangeOf(dataType: string, unsigned: boolean): NonNullable<ValueFacts['range']> | null {
  const bits = integerBits[dataType];
  if (bits === undefined || (!unsigned && (bits === 32n || bits === 64n))) return null;
  return unsigned ? { min: 0n, max: 2n ** bits - 1n } : { min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n };
}

const bitsOf = (columnType: string): number | null => {
  const bits = /^bit\((\d+)\)/.exec(columnType)?.[1];
  return bits === undefined ? null : Number(bits);
};

/** The reference system that MySQL demands of the values of a geometry column; null: any. */
export const sridOfColumn = (column: RawColumn): string | null => / SRID (\d+)$/.exec(columnFacts(column).columnType)?.[1] ?? null;

/** The number of bits of a BIT column; null for any other column, and for BIT(1), which is a boolean. */
export const bitsOfColumn = (column: RawColumn | null): number | null =>
  column?.type === 'unknown' && column.dataType === 'bit' ? bitsOf(String(column.vendor['columnType'])) : null;
