// Raw facts: a vendor's catalogue in a vocabulary common to all vendors, before metadata is applied. Produced by each dialect's
// introspection.

import type { ValueFacts } from './types/coerced.js';
import type { ColumnType } from './types/field-type.js';

export type ForeignKeyAction = 'NO ACTION' | 'RESTRICT' | 'CASCADE' | 'SET NULL' | 'SET DEFAULT';

export interface RawDefault {
  /** literal: a plain value; expression: SQL that the database evaluates (`now()`, `uuid()`); counter: a sequence or auto increment. */
  readonly kind: 'literal' | 'expression' | 'counter';
  /** The plain literal (text unquoted, numbers and booleans as such), or the SQL text of an expression (`CURRENT_TIMESTAMP` for now). */
  readonly value: string | number | boolean;
}

/** ValueFacts holds what restricts the values further. */
export interface RawColumn extends ValueFacts {
  readonly name: string;
  /** The vendor's name of the type, without length: `character varying`, `varchar`, `int`, … (specification 2.4 data_type). */
  readonly dataType: string;
  /** The type of the service. Special flags in the metadata (cast-json, cast-csv, …) may refine it, see specials.ts. */
  readonly type: ColumnType;
  readonly default: RawDefault | null;
  readonly maxLength: number | null;
  readonly precision: number | null;
  readonly scale: number | null;
  readonly generated: boolean;
  readonly generationExpression: string | null;
  readonly nullable: boolean;
  /** Unique by itself (a unique index or key over this column only). */
  readonly unique: boolean;
  /** The first column of some index. */
  readonly indexed: boolean;
  readonly primaryKey: boolean;
  readonly autoIncrement: boolean;
  readonly comment: string | null;
  /** The collation of a text column where the vendor has several (MariaDB, MySQL), else null. */
  readonly collation: string | null;
  /** Facts for the vendor's own syntax only (exact SQL type, unsigned, affinity, enum values); opaque to all other code. */
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
  /** A partial, prefix or expression index, which guarantees nothing about the columns as a whole. */
  readonly partial: boolean;
  /** Set where the index is a primary key or a unique constraint: it goes with the constraint. */
  readonly constraint?: true;
  /** What an index that its columns do not describe consists of, in the vendor's words: partial, prefix, expression, full text. */
  readonly definition?: string;
}

/** A check constraint of the table. */
export interface RawCheck {
  /** The name by which the vendor's error refers to it. */
  readonly name: string;
  /** The columns it refers to; empty if the catalogue does not list them. */
  readonly columns: readonly string[];
}

export const rowEvents = ['insert', 'update', 'delete'] as const;
export type RowEvent = (typeof rowEvents)[number];

/** The triggers and rules of a table: what the database itself does when rows are written. */
export interface RawTriggers {
  /** The events that fire a trigger: the stored row may differ from the row that was written. */
  readonly events: ReadonlySet<RowEvent>;
  /** The events that fire a trigger before the row is stored: it may fill columns, or discard the row. */
  readonly before: ReadonlySet<RowEvent>;
  /** An INSERT cannot return the rows it made (PostgreSQL: a rule replaces the statement). */
  readonly silent: boolean;
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
  readonly checks: readonly RawCheck[];
  /** The columns that determine a row's partition; empty for tables without partitions. */
  readonly partitionedBy: readonly string[];
  /** null: the table has no triggers or rules. */
  readonly triggers: RawTriggers | null;
  /**
   * Set where the key is one that somebody named (build/named-key.ts), never by introspection. `locks`: whether the database can lock the rows.
   */
  readonly namedKey?: { readonly locks: boolean };
  /** Set for a table of the mirrored database, which is only read (see Dialect.mirrored). */
  readonly mirrored?: true;
  /** The estimated number of rows if the catalogue offers it for free, else null. */
  readonly estimatedRows: number | null;
  /**
   * Facts for the vendor's own DDL only (SQLite: the statements that created the table, its indexes and triggers); opaque to all other
   * code.
   */
  readonly vendor: Readonly<Record<string, unknown>>;
}

export interface RawDatabase {
  readonly tables: readonly RawTable[];
}

/** Estimated numbers of rows and sampled values change without any change of structure. */
const volatile: ReadonlySet<string> = new Set(['estimatedRows', 'values']);

export const isSameStructure = (one: RawDatabase, other: RawDatabase): boolean => isSame(one, other);

/** The facts are plain objects, lists, sets and scalars. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isObject(one) || !isObject(other)) return false;
  if (one instanceof Set && other instanceof Set) return one.size === other.size && [...one].every((value) => other.has(value));
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => volatile.has(name) || isSame(one[name], other[name]));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
