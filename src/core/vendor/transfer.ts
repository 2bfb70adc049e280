// The port for a whole database on its way into a file and out of one: one consistent moment, the structure in the product's own statements,
// and values without any loss.

import type { RawColumn, RawTable } from '../schema/raw.js';
import type { TableName } from '../schema/table-name.js';
import type { BoundValue } from '../sql/sql.js';
import type { Connection, Row, Statement } from './driver.js';

/**
 * A value in a file. Numbers are those that JSON keeps exactly; longer ones are text. Dates and times are text without `T` and `Z`, in UTC
 * where the column has a time zone. `b`: bytes, in base64. `x`: what only the same product stores exactly, beside `c`, its form for others.
 */
export type Kept = string | number | boolean | null | { readonly b: string } | { readonly x: ExactValue; readonly c: Kept };

/** A value that its column's type does not suggest. i: integer, r: floating-point number, t: text, b: bytes, all as text. */
export type ExactValue = readonly [kind: 'i' | 'r' | 't' | 'b', text: string];

/** Reads one state of the database, whatever others commit meanwhile. Statements run one after the other. */
export interface SnapshotReading extends Connection {
  stream(statement: Statement): AsyncIterable<readonly Row[]>;
}

/** The structure as statements of the product. */
export interface NativeStructure {
  /** Run before rows are stored. */
  readonly before: readonly string[];
  /** Run afterwards: indexes, foreign keys, counters, and at last triggers and views. */
  readonly after: readonly string[];
  /** What the statements do not make, in words. */
  readonly missing: readonly string[];
}

interface TableReader {
  readonly text: string;
  keep(row: Row): readonly Kept[];
}

export interface TableWriter {
  /** An INSERT of so many rows. */
  text(rows: number): string;
  bind(kept: readonly Kept[]): readonly BoundValue[];
}

export interface Transfer {
  /** The product whose statements `readNative` writes. */
  product(): string;
  snapshot<T>(work: (reading: SnapshotReading) => Promise<T>): Promise<T>;
  readNative(reading: Connection, tables: readonly RawTable[]): Promise<NativeStructure>;
  /** Reads all rows of a table. */
  reader(table: RawTable, columns: readonly RawColumn[]): TableReader;
  /** `exact`: the values come from the same product. */
  writer(table: TableName, columns: readonly RawColumn[], exact: boolean): TableWriter;
  /** Statements for the session before rows are stored, and after the last one. */
  readonly loading: { readonly before: readonly string[]; readonly after: readonly string[] };
  /** Removes a table or view, whatever refers to it. */
  drop(table: Pick<RawTable, 'schema' | 'name' | 'kind'>): string;
  /** Whether a text of any length can be part of a key or index. */
  readonly longKeys: boolean;
  /** Whether a foreign key is part of CREATE TABLE, because adding it later would copy the table. */
  readonly keysWithTable: boolean;
}

/** Columns whose values are stored: those of generated columns are computed again. */
export const storedColumns = ({ columns }: RawTable): readonly RawColumn[] => columns.filter(({ generated }) => !generated);

export const bytesOf = (kept: Kept): Buffer | null =>
  typeof kept === 'object' && kept !== null && 'b' in kept ? Buffer.from(kept.b, 'base64') : null;

/** The form for any product. */
export function commonForm(kept: Kept): Exclude<Kept, { readonly x: ExactValue }> {
  return typeof kept === 'object' && kept !== null && 'x' in kept ? commonForm(kept.c) : kept;
}

export const keepBytes = (bytes: Uint8Array): Kept => ({
  b: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
});

/** JSON has no negative zero, infinity or NaN. */
export const keepFloat = (value: number): Kept =>
  Number.isFinite(value) && !Object.is(value, -0) ? value : Object.is(value, -0) ? '-0' : String(value);

/** Digits as a number where JSON keeps them. */
export function keepWhole(text: string): Kept {
  const value = Number(text);
  return Number.isSafeInteger(value) && String(value) === text ? value : text;
}
