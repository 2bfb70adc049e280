// The port for structure: turns a change in the service's vocabulary into statements of the vendor. Pure: service/structure and service/system run
// the statements.

import type { RawDatabase, RawForeignKey, RawTable } from '../schema/raw.js';
import type { TableName } from '../schema/table-name.js';
import type { ColumnType } from '../schema/types/field-type.js';

/** A column to create. Every property is stated: callers fill in the defaults of the API. */
export interface ColumnSpec {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  readonly default: DefaultSpec | null;
  readonly maxLength: number | null;
  readonly precision: number | null;
  readonly scale: number | null;
  /** Fractional digits of a second that a time keeps; absent: three. */
  readonly fraction?: number;
  readonly unique: boolean;
  readonly indexed: boolean;
  readonly primaryKey: boolean;
  readonly autoIncrement: boolean;
  readonly comment: string | null;
  readonly generationExpression: string | null;
}

/** literal: an escaped literal of the column's type; now: the database's clock; expression: SQL taken over from an existing column. */
export type DefaultSpec =
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'now' }
  | { readonly kind: 'expression'; readonly text: string };

export interface ForeignKeySpec extends RawForeignKey {
  readonly name: string;
}

export type StructureChange =
  | {
      readonly kind: 'create-table';
      readonly table: TableName;
      readonly columns: readonly ColumnSpec[];
      readonly primaryKey: readonly string[];
      readonly foreignKeys: readonly ForeignKeySpec[];
      readonly uniques: readonly (readonly string[])[];
      readonly comment: string | null;
    }
  | { readonly kind: 'drop-table'; readonly table: TableName }
  | { readonly kind: 'add-column'; readonly table: TableName; readonly column: ColumnSpec }
  | { readonly kind: 'alter-column'; readonly table: TableName; readonly column: ColumnSpec }
  | { readonly kind: 'drop-column'; readonly table: TableName; readonly column: string }
  | { readonly kind: 'add-foreign-key'; readonly table: TableName; readonly foreignKey: ForeignKeySpec }
  | { readonly kind: 'drop-foreign-key'; readonly table: TableName; readonly foreignKey: RawForeignKey }
  | {
      readonly kind: 'create-index';
      readonly table: TableName;
      readonly name: string;
      readonly columns: readonly string[];
      readonly unique: boolean;
    }
  | { readonly kind: 'drop-index'; readonly table: TableName; readonly name: string };

export interface DdlStep {
  readonly text: string;
  /** The statement that undoes this step where DDL commits by itself; null if it cannot be undone (data is lost) or need not be. */
  readonly undo: string | null;
  /** The statement that makes an undoable step final, once everything is committed. */
  readonly finish?: string;
}

export interface Ddl {
  /** PostgreSQL and SQLite: DDL and metadata share one transaction. MariaDB and MySQL: every statement commits by itself. */
  readonly transactional: boolean;
  /** Whether the database stores comments on columns; otherwise the metadata does. */
  readonly keepsComments: boolean;
  /** Whether tables belong to schemas: `archive.invoices` is then a table of another schema, otherwise a name with a dot in it. */
  readonly hasSchemas: boolean;
  /** Whether a foreign key needs an index that begins with its columns. */
  readonly keysNeedIndexes: boolean;
  /** The statements of a change, given the present structure (SQLite rebuilds tables from it). */
  steps(change: StructureChange, before: RawDatabase): readonly DdlStep[];
  /** The type that introspection would report for a column created by `spec`. */
  readBackType(spec: ColumnSpec): ColumnType;
}

export const findTable = (database: RawDatabase, table: TableName): RawTable | undefined =>
  database.tables.find((candidate) => candidate.name === table.name && candidate.schema === table.schema);

/** The type of a column that was created with `type` and read back: csv and hash exist in metadata only. */
export function readBackType(type: ColumnType): ColumnType {
  if (type === 'hash') return 'string';
  return type === 'csv' ? 'text' : type;
}
