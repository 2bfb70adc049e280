// The port for a vendor's SQL. Statements are written once, in this folder; a vendor supplies only its differences. A `Json` fragment is
// whatever the vendor puts into its JSON objects: a value for PostgreSQL's row_to_json, an argument of SQLite's json_object, a piece of
// text on MariaDB.

import type { ValueSource } from '../plan/names/value-source.js';
import type { TextMatch } from '../query/operators.js';
import type { AggregateFunction } from '../query/query.js';
import type { RawColumn, RawTable } from '../schema/raw.js';
import type { TableName } from '../schema/table-name.js';
import type { ColumnType } from '../schema/types/field-type.js';
import type { DatePart } from '../schema/types/functions.js';
import type { GeneratedKeys, Pending } from './pending-key.js';
import type { DatabasePlan } from './plan-step.js';
import type { Sql } from './sql.js';

/** A typed expression. The type determines codec, comparison and binding; the column, if there is one, refines it. */
export interface Typed {
  readonly sql: Sql;
  readonly type: ColumnType;
  readonly column: RawColumn | null;
}

export type Json = Sql;

/** The form of a list entry: an object, or a bare value (lists of keys). */
export type ItemShape =
  | { readonly kind: 'object'; readonly pairs: readonly (readonly [string, Json])[] }
  | { readonly kind: 'value'; readonly value: Json };

export interface DirectedSql {
  readonly value: Sql;
  readonly descending: boolean;
}

/** `value` is the expression inside the page. */
export interface OrderTerm extends DirectedSql {
  /** The type by which a cursor stores the value. */
  readonly type: ColumnType;
  /** The name under which the page carries the value: a column of the table, or a generated name. */
  readonly carried: string;
  readonly computed: boolean;
}

/** A page: the items of one list, as plain columns. */
export interface PageSql {
  /** The table with its alias, for use after FROM. */
  readonly from: Sql;
  readonly alias: string;
  /** The columns of the table that the shape around the page needs. */
  readonly columns: readonly string[];
  readonly where: Sql | null;
  readonly order: readonly OrderTerm[];
  /** null: no limit. */
  readonly limit: number | null;
  readonly offset: Sql | null;
}

/** The parts of a grouping. */
export interface GroupsSql {
  /** The answer of each group. */
  readonly pairs: readonly (readonly [string, Json])[];
  /** The part after FROM, conditions included. */
  readonly from: Sql;
  /** For a nested grouping computed for all parents at once: the columns that identify the parent. */
  readonly parent: readonly Sql[];
  /** Without keys there is exactly one group. */
  readonly keys: readonly Typed[];
  /** The columns of the collection that the statement reads, those of the keys included. */
  readonly columns: ReadonlySet<string>;
  /** The table of the collection, with its indexes. */
  readonly table: Pick<RawTable, 'columns' | 'indexes'> | null;
  readonly having: Sql | null;
  readonly order: readonly DirectedSql[];
  /** Whether the order depends on the keys only. */
  readonly inOrderOfKeys: boolean;
  readonly limit: number | null;
  readonly offset: Sql | null;
}

/** How a statement refers to keys that an earlier statement of its transaction generates. */
export interface PendingSyntax {
  /** Whether a pending key changes the text of the statement; if not, it is a placeholder like any other and the driver fills it in. */
  readonly inText: boolean;
  /** The last item of the RETURNING clause of the INSERT that generates `column`: it stores the key for later statements. null: the driver does. */
  keep(batch: GeneratedKeys, column: Sql): Sql | null;
  /** What is written in place of a pending value; `placeholder` is the next one, for values that need it. */
  write(pending: Pending, placeholder: string): string;
  /** What is bound to that placeholder; undefined: `write` does not use it. */
  bound(pending: Pending): string | Pending | undefined;
}

export interface Syntax {
  placeholder(index: number): string;
  identifier(name: string): Sql;
  table(table: TableName): Sql;

  /** A parameter bound by `type` and, if known, by the exact vendor type of the column. */
  param(
    source: ValueSource,
    type: ColumnType,
    column: RawColumn | null,
    options?: { readonly list?: boolean; readonly lenient?: boolean },
  ): Sql;

  /** null where a statement cannot refer to pending keys: every INSERT is then sent at once and its keys are read back. */
  readonly pending: PendingSyntax | null;

  /** `x` in the form that is compared with a parameter of its type (decimals stored as text are compared as numbers). */
  comparable(x: Typed): Sql;
  /** `x` in the form that is sorted: like `comparable`, but an index on the column must remain usable. */
  orderable(x: Typed): Sql;
  /** `x` in the form that is grouped: equal where its values are answered alike. */
  groupable(x: Typed): Sql;
  /**
   * Tests whether `x` equals a parameter (`list`: one of its values) in a form that can use an index on the column, where `comparable`
   * cannot; null if `comparable` can. A value outside of the type matches nothing, negated or not.
   */
  lookUp?(x: Typed, source: ValueSource, list: boolean): Sql | null;
  /** Whether `x` is one of the values of a list parameter. */
  inList(x: Typed, source: ValueSource): Sql;
  listIsNotEmpty(source: ValueSource): Sql;
  isEmpty(x: Typed): Sql;
  matches(x: Typed, how: TextMatch, folds: boolean, source: ValueSource): Sql;
  /** The spatial operators, `_intersects` and the like. */
  geometry(x: Typed, operator: string, source: ValueSource): Sql;
  /** Whether a text column (the name of a collection) equals a constant of the service. */
  equalsText(x: Sql, text: string): Sql;
  datePart(part: DatePart, x: Typed): Sql;
  /** The number of elements of a JSON array; null for other values. */
  jsonLength(x: Typed): Sql;
  /** The value at a checked path, as text (for comparison) or as JSON (for the answer). */
  jsonText(x: Typed, path: readonly (string | number)[], numeric: boolean): Sql;
  jsonValue(x: Typed, path: readonly (string | number)[]): Json;
  /** The key of a many-to-any converted to the type of the related key; null if the stored text is no such key. */
  anyKey(item: Typed, key: Typed): Sql;

  /** The JSON form of a value. `cast` forces text, or a number where that is exact. */
  json(x: Typed, cast: 'string' | 'number' | null): Json;
  jsonNull(): Json;
  /** A constant text of the service (the name of a collection, the asterisks of a concealed field). */
  jsonConstant(text: string): Json;
  /** `json` if the condition holds, else null. */
  jsonWhen(condition: Sql, json: Json): Json;
  /** The first branch whose condition holds, else `otherwise`. */
  jsonCase(branches: readonly { readonly when: Sql; readonly json: Json }[], otherwise: Json): Json;

  aggregate(fn: AggregateFunction, x: Typed | null): { readonly value: Sql; readonly json: Json };

  /** `{…}` of expressions of the current scope, without a FROM of its own. */
  inlineObject(pairs: readonly (readonly [string, Json])[]): Json;
  /** The item as JSON text, from expressions of the current scope. */
  text(shape: ItemShape): Sql;
  /** A short text that is equal for equal texts and, for all practical purposes, for no others. */
  digest(text: Sql): Json;
  /** `{…}` or null: one related item as a scalar subquery. `source` follows FROM. */
  one(shape: ItemShape, source: Sql): Json;
  /** `[…]`: a related list as a scalar subquery. */
  many(shape: ItemShape, page: PageSql): Json;
  /** The root list: one JSON text per item, or one text of all items joined by commas if the vendor gains by it. */
  root(shape: ItemShape, page: PageSql, joined: boolean): Sql;
  /** The root list for paging by cursor: each row has the JSON text of the item and a JSON list of its values in the order. */
  markedRoot(shape: ItemShape, page: PageSql): Sql;
  /** The rows of a grouping, one JSON text each. */
  groups(groups: GroupsSql): Sql;
  /** A nested grouping: `[…]` as a scalar subquery. `parentKey` selects the parent if `groups.parent` is not empty. */
  nestedGroups(groups: GroupsSql, parentKey: readonly Sql[]): Json;
  /** Whether a derived table may refer to columns of the enclosing query. */
  readonly allowsLateral: boolean;

  /** The planner probes lists of related items before it looks up single related items, and before it sorts and stops at a limit. */
  readonly probesListsFirst: boolean;

  /** Where nulls sort in ascending order. */
  readonly nulls: 'first' | 'last';
  /** The parameter that holds value number `index` of a cursor position, to be compared with `orderable(x)`. */
  markParam(index: number, x: Typed): Sql;
  /** The statement that explains `text`. */
  explain(text: string): string;
  /** What that statement answers: a JSON document, or lines. */
  readPlan(document: unknown): DatabasePlan;
  /** The number of items to skip, as a parameter or a checked number. */
  offset(source: ValueSource): Sql;
  /** ` LIMIT … OFFSET …`, or nothing. */
  limitOffset(limit: number | null, offset: Sql | null): Sql;
  /**
   * A condition that is always true and by which a long scan over these columns checks for cancellation; null if any statement can be
   * cancelled from outside. `isKey`: the columns are a single key.
   */
  scanGuard(columns: readonly Typed[], isKey: boolean): Sql | null;
}
