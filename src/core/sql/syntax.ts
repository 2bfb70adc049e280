// The questions a vendor must answer about its SQL. The statements themselves are written once, in this folder; a vendor states
// only its differences. `Json` fragments are whatever the vendor puts into its JSON objects: a value for PostgreSQL's row_to_json,
// an argument of SQLite's json_object, a piece of text on MariaDB.

import type { ValueSource } from '../plan/value-source.js';
import type { AggregateFunction } from '../query/query.js';
import type { DatePart } from '../schema/date-part.js';
import type { ColumnType } from '../schema/field-type.js';
import type { RawColumn } from '../schema/raw.js';
import type { TableName } from '../schema/table-name.js';
import type { Counter, Late } from './late-value.js';
import type { Sql } from './sql.js';

/** A typed expression: the type decides codec, comparison and binding; the column (where there is one) refines it. */
export interface Typed {
  readonly sql: Sql;
  readonly type: ColumnType;
  readonly column: RawColumn | null;
}

export type Json = Sql;

/** What one entry of a list looks like: an object, or a bare value (lists of keys). */
export type ItemShape =
  | { readonly kind: 'object'; readonly pairs: readonly (readonly [string, Json])[] }
  | { readonly kind: 'value'; readonly value: Json };

export interface DirectedSql {
  readonly value: Sql;
  readonly descending: boolean;
}

/** `value` is the expression inside the page. */
export interface OrderTerm extends DirectedSql {
  /** By which its mark in a cursor is written. */
  readonly type: ColumnType;
  /** The name under which the page carries it outwards: a column of the table, or a name of its own. */
  readonly carried: string;
  readonly computed: boolean;
}

/** A page: the items of one list, in plain columns. */
export interface PageSql {
  /** The table with its alias, as it stands after FROM. */
  readonly from: Sql;
  readonly alias: string;
  /** Columns of the table that the shape around the page needs. */
  readonly columns: readonly string[];
  readonly where: Sql | null;
  readonly order: readonly OrderTerm[];
  /** null: no limit. */
  readonly limit: number | null;
  readonly offset: Sql | null;
}

/** A grouping in its parts. */
export interface GroupsSql {
  /** What each group answers. */
  readonly pairs: readonly (readonly [string, Json])[];
  /** What stands after FROM, conditions included. */
  readonly from: Sql;
  /** A nested grouping made for all parents at once: the column that tells whose group it is. */
  readonly parent: Sql | null;
  /** Without any there is exactly one group. */
  readonly keys: readonly Typed[];
  /** Whether anything of the items is read but their keys. */
  readonly readsItems: boolean;
  readonly having: Sql | null;
  readonly order: readonly DirectedSql[];
  /** Whether no total decides the order. */
  readonly inOrderOfKeys: boolean;
  readonly limit: number | null;
  readonly offset: Sql | null;
}

/** How statements of one transaction name the numbers that others of it count. */
export interface LateSyntax {
  /** Whether the text of a statement depends on which late values stand in it. */
  readonly inText: boolean;
  /** Stands last in the RETURNING of the INSERT that counts in `column`; null: the driver keeps the numbers. */
  keep(counter: Counter, column: Sql): Sql | null;
  /** What is written in the place of a late value. */
  write(late: Late, placeholder: string): string;
  /** What the placeholder gets; undefined: none is written. */
  bound(late: Late): string | Late | undefined;
}

export type TextMatch = 'contains' | 'starts' | 'ends';

export interface Syntax {
  placeholder(index: number): string;
  identifier(name: string): Sql;
  table(table: TableName): Sql;

  /** A parameter bound by `type` (and the column's exact vendor type, when known). */
  param(
    source: ValueSource,
    type: ColumnType,
    column: RawColumn | null,
    options?: { readonly list?: boolean; readonly lenient?: boolean },
  ): Sql;

  /** null: every statement waits for those before it. */
  readonly late: LateSyntax | null;

  /** `x` as it is compared with a parameter of its type (decimals kept as text are compared as numbers). */
  comparable(x: Typed): Sql;
  /** `x` as it is ordered: like `comparable`, but an index on the column must stay usable. */
  orderable(x: Typed): Sql;
  /** `x` is one of the values of a list parameter. */
  inList(x: Typed, source: ValueSource): Sql;
  listIsNotEmpty(source: ValueSource): Sql;
  isEmpty(x: Typed): Sql;
  matches(x: Typed, how: TextMatch, folds: boolean, source: ValueSource): Sql;
  /** `_intersects` and its kin. */
  geometry(x: Typed, operator: string, source: ValueSource): Sql;
  /** A text column (a collection's name) equals a constant of the service. */
  equalsText(x: Sql, text: string): Sql;
  datePart(part: DatePart, x: Typed): Sql;
  /** Number of elements of a JSON array, null otherwise. */
  jsonLength(x: Typed): Sql;
  /** The value at a checked path as text (for comparison) and as JSON (for the answer). */
  jsonText(x: Typed, path: readonly (string | number)[], numeric: boolean): Sql;
  jsonValue(x: Typed, path: readonly (string | number)[]): Json;
  /** The key of a many-to-any as the related key's type; null when the stored text is no such key. */
  anyKey(item: Typed, key: Typed): Sql;

  /** The wire form of a value. `cast` forces text or number. */
  json(x: Typed, cast: 'string' | 'number' | null): Json;
  jsonNull(): Json;
  /** A constant text of the service (a collection's name, the stars of a concealed field). */
  jsonConstant(text: string): Json;
  /** `json` where the condition holds, else null. */
  jsonWhen(condition: Sql, json: Json): Json;
  /** First branch whose condition holds, else `otherwise`. */
  jsonCase(branches: readonly { readonly when: Sql; readonly json: Json }[], otherwise: Json): Json;

  aggregate(fn: AggregateFunction, x: Typed | null): { readonly value: Sql; readonly json: Json };

  /** `{…}` of expressions at hand, without a source of its own. */
  inlineObject(pairs: readonly (readonly [string, Json])[]): Json;
  /** The item as a text of JSON, of expressions at hand. */
  text(shape: ItemShape): Sql;
  /** `{…}` or null: one related item as a scalar subquery. `source` is what stands after FROM. */
  one(shape: ItemShape, source: Sql): Json;
  /** `[…]`: a related list as a scalar subquery. */
  many(shape: ItemShape, page: PageSql): Json;
  /** The root list: one JSON text per item, or one text of all of them joined by commas where the vendor gains by it. */
  root(shape: ItemShape, page: PageSql, joined: boolean): Sql;
  /** The root list for paging by cursor: per row the item's JSON text, and a JSON text of the list of its marks. */
  markedRoot(shape: ItemShape, page: PageSql): Sql;
  /** Rows of a grouping, one JSON text each. */
  groups(groups: GroupsSql): Sql;
  /** A nested grouping: `[…]` as a scalar subquery. `parentKey`: whose groups are meant, when `groups.parent` tells them apart. */
  nestedGroups(groups: GroupsSql, parentKey: Sql | null): Json;
  /** Whether a derived table may refer to the items around it. */
  readonly looksOut: boolean;

  /** Of several conditions on related items the planner looks through lists before it looks up single items, and before it sorts and stops at a limit. */
  readonly asksListsFirst: boolean;

  /** Where nulls stand in ascending order. */
  readonly nulls: 'first' | 'last';
  /** An item's place in an order: the parameter that holds the mark number `index`, to be compared with `orderable(x)`. */
  markParam(index: number, x: Typed): Sql;
  /** The statement that explains another one. */
  explain(text: string): string;
  /** The number of items to leave out, as a parameter or a checked number. */
  offset(source: ValueSource): Sql;
  /** ` LIMIT … OFFSET …`, or nothing. */
  limitOffset(limit: number | null, offset: Sql | null): Sql;
  /**
   * Always true: by it a long scan over these columns asks now and then whether it shall go on; null where any statement can be stopped.
   * `isKey`: the one column differs from item to item.
   */
  scanGuard(columns: readonly Typed[], isKey: boolean): Sql | null;
}
