// The questions a vendor must answer about writing. The statements are written once, in this folder; a vendor states its differences.

import type { ValueSource } from '../plan/value-source.js';
import type { ColumnType } from '../schema/field-type.js';
import type { RawColumn } from '../schema/raw.js';
import type { TableName } from '../schema/table-name.js';
import type { Sql } from './sql.js';

/** One value of a column as a parameter; made once per column, used for every row. */
export type WriteCell = (source: ValueSource) => Sql;

/** Rows of one table that get different values: each row holds its key, then its values, in the order of the names. */
interface UpdateEach {
  readonly table: Sql;
  readonly alias: string;
  readonly keys: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Sql[])[];
  /** Also on `alias`; null: no guard. */
  readonly guard: Sql | null;
}

export interface WriteSyntax {
  /** How many parameters one statement may hold. */
  readonly maxParameters: number;
  /** Whether an INSERT tells what it made. Where not, `lastKey` does. */
  readonly insertReturns: boolean;
  /** Where a guard may look at the table it guards: in any UPDATE or DELETE, in an UPDATE of the same values for all, or nowhere. */
  readonly guardsInPlace: 'always' | 'same values' | 'never';
  /** How values are stored in a column. */
  value(type: ColumnType, column: RawColumn): WriteCell;
  /** The same inside a derived table, where nothing but the value itself tells its type. */
  typedValue(type: ColumnType, column: RawColumn): WriteCell;
  /** Between the columns and VALUES of an INSERT that gives the values of a counter itself. */
  readonly overriding: Sql;
  /** Statements that make `count` rows of defaults alone. */
  emptyRows(table: Sql, key: RawColumn, count: number): readonly { readonly statement: Sql; readonly count: number }[];
  /** SELECT of the first key the last INSERT of this connection made, and of the distance between keys. */
  lastKey(): Sql;
  /** After keys were given for a counter: it goes on behind the highest. null where it does so by itself. */
  advanceCounter(table: TableName, column: RawColumn, highest: Sql): Sql | null;
  /** Ends a SELECT whose rows nobody else may change until the transaction ends. */
  readonly forUpdate: Sql;
  updateEach(update: UpdateEach): Sql;
  deleteFrom(table: Sql, alias: string, where: Sql): Sql;
}
