// The port for a vendor's writes. Statements are written once, in this folder; a vendor supplies only its differences.

import type { ValueSource } from '../plan/names/value-source.js';
import type { RawColumn } from '../schema/raw.js';
import type { TableName } from '../schema/table-name.js';
import type { ColumnType } from '../schema/types/field-type.js';
import type { Sql } from './sql.js';

/** Writes one value of a column as a parameter; created once per column and used for every row. */
export type WriteCell = (source: ValueSource) => Sql;

/** The same values for rows of one table. */
export interface UpdateSame {
  readonly table: Sql;
  readonly alias: string;
  /** The columns with their values, in the order of their parameters. */
  readonly values: readonly (readonly [column: string, value: Sql])[];
  /** Which rows: a condition on `alias`. */
  readonly where: Sql;
  /** Whether it names a single row. */
  readonly single: boolean;
}

/** Rows of one table with different values: each row contains its key, then its values, in the order of the names. */
export interface UpdateEach {
  readonly table: Sql;
  readonly alias: string;
  readonly keys: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Sql[])[];
  /** A condition on `alias`; null: no guard. */
  readonly guard: Sql | null;
}

export interface WriteSyntax {
  /** The number of parameters one statement may have. */
  readonly maxParameters: number;
  /** Whether an INSERT supports RETURNING. If not, `lastKey` is used. */
  readonly insertReturns: boolean;
  /** Where a guard may read the table it guards: in any UPDATE or DELETE, in an UPDATE of a single row, or nowhere. */
  readonly guardsInPlace: 'always' | 'single row' | 'never';
  /** How values are stored in a column. */
  value(type: ColumnType, column: RawColumn): WriteCell;
  /** The same inside a derived table, where the value itself must carry its type. */
  typedValue(type: ColumnType, column: RawColumn): WriteCell;
  /** Written between the columns and VALUES of an INSERT that sets an identity column explicitly. */
  readonly overriding: Sql;
  /** Statements that insert `count` rows of defaults. */
  emptyRows(table: Sql, key: RawColumn, count: number): readonly { readonly statement: Sql; readonly count: number }[];
  /** SELECTs the first key that the last INSERT of this connection generated, and the distance between keys. */
  lastKey(): Sql;
  /** SELECTs `count` values that the database makes for the column of rows to be inserted; null if only an INSERT can take them. */
  drawValues(table: TableName, column: RawColumn, count: number): Sql | null;
  /** SELECTs columns of the rows that the last INSERT made, in their order, as stored; null if an INSERT always returns the key. */
  lastRows(table: Sql, columns: Sql, count: number): Sql | null;
  /** Advances a sequence behind the highest key that was inserted explicitly; null if the database does so itself. */
  advanceCounter(table: TableName, column: RawColumn, highest: Sql): Sql | null;
  /** Whether an UPDATE or DELETE of a view knows it by its alias. */
  readonly aliasesViews: boolean;
  /** Ends a SELECT that locks its rows until the transaction ends. */
  readonly forUpdate: Sql;
  updateSame(update: UpdateSame): Sql;
  updateEach(update: UpdateEach): Sql;
  deleteFrom(table: Sql, alias: string, where: Sql): Sql;
}
