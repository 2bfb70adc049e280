// The port for structure: a change in the service's vocabulary becomes the vendor's statements. Pure; running them is the
// business of service/structure and service/system.

import type { ColumnType } from '../schema/field-type.js';
import type { RawDatabase, RawForeignKey, RawTable } from '../schema/raw.js';
import type { TableName } from '../schema/table-name.js';

/** A column to be made. Everything is stated; the callers fill in the defaults of the contract. */
export interface ColumnSpec {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  readonly default: DefaultSpec | null;
  readonly maxLength: number | null;
  readonly precision: number | null;
  readonly scale: number | null;
  readonly unique: boolean;
  readonly indexed: boolean;
  readonly primaryKey: boolean;
  readonly autoIncrement: boolean;
  readonly comment: string | null;
  readonly generationExpression: string | null;
}

/** literal: written as an escaped literal of the column's type; now: the database's clock; expression: text taken over from a column that already has it. */
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
  /** How to take this step back where DDL commits by itself; null when it cannot be taken back (data is gone) or need not be. */
  readonly undo: string | null;
  /** What makes a step that can be taken back final, once everything is committed. */
  readonly finish?: string;
}

export interface Ddl {
  /** PostgreSQL and SQLite: DDL and metadata share one transaction. MariaDB/MySQL: every statement commits by itself. */
  readonly transactional: boolean;
  /** Whether the database keeps comments on columns; where it does not, the metadata does. */
  readonly keepsComments: boolean;
  /** Whether tables live in schemas: `archive.invoices` is then a table of another schema, else a name with a dot in it. */
  readonly hasSchemas: boolean;
  /** The statements of a change, given the structure as it is now (SQLite rebuilds a table from it). */
  steps(change: StructureChange, before: RawDatabase): readonly DdlStep[];
  /** The service's type of a column that `spec` would make, as introspection would read it back. */
  readBackType(spec: ColumnSpec): ColumnType;
}

export const findTable = (database: RawDatabase, table: TableName): RawTable | undefined =>
  database.tables.find((candidate) => candidate.name === table.name && candidate.schema === table.schema);
