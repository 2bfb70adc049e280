// What only this vendor's DDL needs to know of a column to state it again: MODIFY COLUMN drops whatever it does not repeat.

export interface ColumnFacts {
  /** The full type with length and attributes: `int(10) unsigned zerofill`, `enum('a','b')`. */
  readonly columnType: string;
  /** The default as SQL, null for none. */
  readonly defaultSql: string | null;
  readonly onUpdate: string | null;
  readonly invisible: boolean;
  readonly unsigned: boolean;
  readonly zerofill: boolean;
  /** The values of an enum or set. */
  readonly values: readonly string[] | null;
  readonly generation: 'STORED' | 'VIRTUAL' | null;
  /** A check written at the column itself, `json_valid` of json columns included. */
  readonly check: string | null;
}

/** Facts made here and carried through the core unseen. */
export const columnFacts = (column: { readonly vendor: Readonly<Record<string, unknown>> }): ColumnFacts =>
  column.vendor as unknown as ColumnFacts;
