// The form of a backup file: eight bytes that name it, then frames of a kind, a length and a payload. First the header, then the structure, then
// one part per table and per content of a file, at last the counts with the digest of everything before them. A file without that end was
// not written to its end.

import { createHash } from 'node:crypto';
import type { RawColumn, RawDefault, RawForeignKey, RawIndex, RawTable } from '../../../core/schema/raw.js';
import type { TableName } from '../../../core/schema/table-name.js';
import type { ColumnType } from '../../../core/schema/types/field-type.js';
import { isPlainObject } from '../../../core/util/plain-object.js';
import type { NativeStructure } from '../../../core/vendor/transfer.js';

export const magic = Buffer.from('TAINBKP\n', 'latin1');

/** Readers refuse higher numbers than their own. */
export const formatVersion = 1;

/** One byte each. `header` and `end` carry their own digest; `rows` are compressed lines of JSON. */
export const frameKind = { header: 'H', structure: 'S', table: 'T', rows: 'R', file: 'F', bytes: 'B', partEnd: 'E', end: 'Z' } as const;

export const frameHead = 5;
/** A length beyond it can only be damage. */
export const mostFrameBytes = 2 ** 30;

export interface BackupHeader {
  readonly format: number;
  /** ISO time of the moment that the file shows. */
  readonly moment: string;
  /** The release of the service that wrote the file. */
  readonly release: string;
  readonly product: string;
  readonly productVersion: string;
  readonly wire: string;
  /** The SQL schema of the service's tables; null: beside the data. */
  readonly systemSchema: string | null;
  /** The migrations that the system tables have seen. */
  readonly migrations: readonly string[];
  /** Identifies the configured SECRET; null: the secret is in the database, and so in the file. */
  readonly secret: string | null;
  readonly tables: number;
  readonly withFiles: boolean;
}

/** A column without what only its own product knows. */
export interface KeptColumn
  extends Pick<
    RawColumn,
    | 'name'
    | 'dataType'
    | 'type'
    | 'maxLength'
    | 'precision'
    | 'scale'
    | 'generated'
    | 'generationExpression'
    | 'nullable'
    | 'primaryKey'
    | 'autoIncrement'
    | 'comment'
  > {
  readonly default: RawDefault | null;
  /** Fractional digits of a second. */
  readonly fraction: number | null;
  /** The most bits that an integer of the column has. */
  readonly bits: number | null;
  readonly choices: readonly string[] | null;
}

export interface KeptTable extends TableName {
  readonly kind: RawTable['kind'];
  readonly comment: string | null;
  readonly columns: readonly KeptColumn[];
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly RawForeignKey[];
  readonly indexes: readonly RawIndex[];
  readonly checks: readonly string[];
  readonly hasTriggers: boolean;
}

export interface KeptStructure {
  readonly tables: readonly KeptTable[];
  readonly native: NativeStructure;
}

export type PartHead =
  | { readonly kind: 'table'; readonly table: TableName; readonly columns: readonly string[] }
  | { readonly kind: 'file'; readonly storage: string; readonly name: string };

export function isPartHead(value: unknown): value is PartHead {
  if (!isPlainObject(value)) return false;
  const { kind, table, columns, storage, name } = value;
  if (kind === 'file') return typeof storage === 'string' && typeof name === 'string';
  if (kind !== 'table' || !isPlainObject(table) || !Array.isArray(columns)) return false;
  const { schema } = table;
  return typeof table['name'] === 'string' && (schema === null || typeof schema === 'string');
}

/** `count`: rows of a table, bytes of a file. */
export interface PartEnd {
  readonly count: number;
  readonly digest: string;
}

export interface BackupEnd {
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  readonly bytes: number;
  /** Of everything before the frame of the end. */
  readonly digest: string;
}

/** JSON and its digest, for the frames that have to be understood alone. */
export function sealJson(value: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(value), 'utf8');
  return Buffer.concat([createHash('sha256').update(text).digest(), text]);
}

/** null: damaged. */
export function openJson(payload: Buffer): unknown {
  const text = payload.subarray(32);
  return createHash('sha256').update(text).digest().equals(payload.subarray(0, 32)) ? JSON.parse(text.toString('utf8')) : null;
}

export const partName = (part: PartHead): string =>
  part.kind === 'file'
    ? `the content of the file ${part.name}`
    : `the rows of "${[part.table.schema, part.table.name].filter((name) => name !== null).join('.')}"`;

/** What a person is told when a backup cannot be made, or a file cannot be used. Nothing was written. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}

const ownBits: Partial<Readonly<Record<ColumnType, number>>> = { integer: 32, bigInteger: 64 };

export function keepTable(table: RawTable): KeptTable {
  const { schema, name, kind, comment, primaryKey, foreignKeys, indexes, checks, triggers } = table;
  return {
    schema,
    name,
    kind,
    comment,
    columns: table.columns.map(keepColumn),
    primaryKey,
    foreignKeys,
    indexes,
    checks: checks.map((check) => check.name),
    hasTriggers: triggers !== null,
  };
}

function keepColumn(column: RawColumn): KeptColumn {
  const {
    name,
    dataType,
    type,
    maxLength,
    precision,
    scale,
    generated,
    generationExpression,
    nullable,
    primaryKey,
    autoIncrement,
    comment,
  } = column;
  const { range, choices = null, fraction = null } = column;
  const bits = range === undefined ? (ownBits[type] ?? null) : range.max.toString(2).length + (range.min < 0n ? 1 : 0);
  return {
    ...{ name, dataType, type, maxLength, precision, scale, generated, generationExpression, nullable, primaryKey, autoIncrement, comment },
    ...{ default: column.default, fraction, bits, choices },
  };
}
