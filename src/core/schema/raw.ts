// Raw facts: what a vendor's catalogue says, in one vocabulary, before metadata is laid over it. Made by dialects/*/introspect.ts.

import type { ColumnType } from './field-type.js';

export type ForeignKeyAction = 'NO ACTION' | 'RESTRICT' | 'CASCADE' | 'SET NULL' | 'SET DEFAULT';

export interface RawDefault {
  /** literal: a plain value; expression: SQL the database evaluates (`now()`, `uuid()`); counter: sequence or auto increment. */
  readonly kind: 'literal' | 'expression' | 'counter';
  /** The plain literal (text unquoted, numbers and booleans as such), or the SQL text of an expression (`CURRENT_TIMESTAMP` for now). */
  readonly value: string | number | boolean;
}

export interface RawColumn {
  readonly name: string;
  /** As the vendor names it, without length: `character varying`, `varchar`, `int`, … (specification 2.4 data_type). */
  readonly dataType: string;
  /** The service's type; metadata specials (cast-json, cast-csv, …) may refine it later. */
  readonly type: ColumnType;
  readonly default: RawDefault | null;
  readonly maxLength: number | null;
  readonly precision: number | null;
  readonly scale: number | null;
  readonly generated: boolean;
  readonly generationExpression: string | null;
  readonly nullable: boolean;
  /** Alone unique (single-column unique index or key). */
  readonly unique: boolean;
  /** First column of some index. */
  readonly indexed: boolean;
  readonly primaryKey: boolean;
  readonly autoIncrement: boolean;
  readonly comment: string | null;
  /** Collation of a text column where the vendor has several (MariaDB/MySQL), else null. */
  readonly collation: string | null;
  /** Facts only the vendor's own syntax needs (exact SQL type, unsigned, affinity, enum values); opaque to everyone else. */
  readonly vendor: Readonly<Record<string, unknown>>;
}

export interface RawForeignKey {
  readonly name: string | null;
  readonly columns: readonly string[];
  readonly foreignSchema: string | null;
  readonly foreignTable: string;
  readonly foreignColumns: readonly string[];
  readonly onDelete: ForeignKeyAction;
  readonly onUpdate: ForeignKeyAction;
}

export interface RawIndex {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
  /** Partial, prefix or expression index: proves nothing about the columns alone. */
  readonly partial: boolean;
}

export interface RawTable {
  /** null: the connection's default schema. */
  readonly schema: string | null;
  readonly name: string;
  readonly kind: 'table' | 'view';
  readonly comment: string | null;
  readonly columns: readonly RawColumn[];
  /** In key order; empty for tables without a key and for views. */
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly RawForeignKey[];
  readonly indexes: readonly RawIndex[];
  /** Estimated number of rows where the catalogue has it for free, else null. */
  readonly estimatedRows: number | null;
  /** Facts only the vendor's own DDL needs (SQLite: the statements that made the table, its indexes and triggers); opaque to everyone else. */
  readonly vendor: Readonly<Record<string, unknown>>;
}

export interface RawDatabase {
  readonly tables: readonly RawTable[];
}
