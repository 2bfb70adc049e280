// Encodes parameters as text, and reads cells from text. All cells but small integers and booleans stay text, so that bigint, numeric, json and
// dates are exactly what the server sent.

import type { BoundValue } from '../../../core/sql/sql.js';
import type { Cell, Row } from '../../../core/vendor/driver.js';
import type { DataRow, RowDescription, WireValue } from './wire.js';

type ParseCell = (text: string) => Cell;

/** By type OID: boolean, smallint, integer. */
const parsers: ReadonlyMap<number, ParseCell> = new Map<number, ParseCell>([
  [16, (text) => text === 't'],
  [21, Number],
  [23, Number],
]);

/** How to read the rows of a statement; null if every cell stays text, as in all statements that build JSON. */
export type RowReader = readonly (ParseCell | undefined)[] | null;

export function describeRows(description: RowDescription): RowReader {
  const readers = description.fields.map((field) => parsers.get(field.dataTypeID));
  return readers.some((reader) => reader !== undefined) ? readers : null;
}

export function readRow(reader: RowReader, message: DataRow): Row {
  if (reader === null) return message.fields;
  return message.fields.map((text, index) => {
    const parse = reader[index];
    return text === null || parse === undefined ? text : parse(text);
  });
}

export function encodeValue(value: BoundValue): WireValue {
  if (typeof value === 'string' || value === null) return value;
  if (Array.isArray(value)) return encodeArray(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return String(value);
}

const encodeArray = (values: readonly (string | number | bigint | boolean | null)[]): string => `{${values.map(encodeElement).join(',')}}`;

function encodeElement(value: string | number | bigint | boolean | null): string {
  if (value === null) return 'NULL';
  return typeof value === 'string' ? `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : String(value);
}
