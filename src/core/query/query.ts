// The query tree: what a request asks, whichever door it came by. No schema, no I/O.
//
// The tree holds names and structure only. Literal values are kept apart in `ParsedQuery.literals`, and the tree refers to them by slot.
// Two requests that differ only in values therefore have equal trees (query-shape.ts) and share one plan and one prepared statement; the
// values are resolved, checked and bound when the statement runs (`ValueSource` in core/plan/names).

import type { OperatorName } from './operators.js';

/** A name as written: `title`, `year(published)`, `json(specs, a.b)`, `item:pages`. */
export interface FieldRef {
  readonly name: string;
  readonly fn: string | null;
  readonly args: readonly string[];
  readonly scope: string | null;
}

/** `author.country`, `author.year(born)`: every step but the last goes through a relation. Never empty. */
export type Path = readonly FieldRef[];

/** An index into the literals of the same ParsedQuery. */
export type Slot = number;

export type Selection =
  | { readonly kind: 'wildcard'; readonly children: readonly Selection[] }
  | {
      readonly kind: 'field';
      /** The field's name; an alias of the same level is already resolved to its target. */
      readonly field: FieldRef;
      /** The key in the answer. */
      readonly as: string;
      readonly children: readonly Selection[];
      /** For many-to-any relations: the selections per related collection (`item:pages.title`). */
      readonly scopes: Readonly<Record<string, readonly Selection[]>>;
      /**
       * For GraphQL's scalar types: answers keys as text (`ID`) and decimals as numbers (`Float`). Absent: the form of the field's type.
       */
      readonly cast?: 'string' | 'number';
    }
  /** GraphQL's `__typename`: answers the given name, or else the name of the collection. */
  | { readonly kind: 'typename'; readonly as: string; readonly name?: string }
  /** An object of several values of the same item: GraphQL's `published_func { year month }`. */
  | { readonly kind: 'object'; readonly as: string; readonly children: readonly Selection[] }
  /**
   * A digest of the values that the caller may read of the item and that the other selections beside it do not answer, so that a change of them
   * can be noticed. No request can name it.
   */
  | { readonly kind: 'rest'; readonly as: string }
  /** Selects nothing. It makes the answer `{}`, whereas an empty list of selections would answer everything. */
  | { readonly kind: 'nothing' };

export type Filter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  /** `slot` is null for operators that take no operand (`_null`, `_empty`, …). */
  | {
      readonly kind: 'compare';
      readonly field: FieldRef;
      readonly operator: OperatorName;
      readonly slot: Slot | null;
      /** The operand is, or contains, a list or an object. */
      readonly structured?: true;
    }
  | { readonly kind: 'json'; readonly field: FieldRef; readonly path: string; readonly operator: OperatorName; readonly slot: Slot | null }
  /** Conditions on a related item. All of them must hold for the same related item. */
  | { readonly kind: 'related'; readonly field: FieldRef; readonly quantifier: 'some' | 'none'; readonly filter: Filter };

export interface SortTerm {
  readonly path: Path;
  readonly descending: boolean;
}

const aggregateFunctions = ['count', 'countDistinct', 'countAll', 'sum', 'sumDistinct', 'avg', 'avgDistinct', 'min', 'max'] as const;
export type AggregateFunction = (typeof aggregateFunctions)[number];

export const isAggregateFunction = (name: string): name is AggregateFunction => (aggregateFunctions as readonly string[]).includes(name);

/** `path` is null for `*`. */
export interface Aggregate {
  readonly fn: AggregateFunction;
  readonly path: Path | null;
}

export interface GroupTerm {
  readonly path: Path;
  /** The key in the answer: `category`, `published_year`, `author.country`. */
  readonly as: string;
}

export type Having =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Having[] }
  | { readonly kind: 'compare'; readonly aggregate: Aggregate; readonly operator: OperatorName; readonly slot: Slot | null };

export interface Query {
  /** Empty: everything the caller may see, as `*`. */
  readonly fields: readonly Selection[];
  readonly filter: Filter | null;
  readonly sort: readonly SortTerm[];
  /** null: the default limit; -1: all up to the configured maximum. */
  readonly limit: number | null;
  /** Slot of the offset (a checked integer ≥ 0); `page` is already turned into it. */
  readonly offset: Slot | null;
  readonly search: Slot | null;
  readonly aggregate: readonly Aggregate[];
  readonly groupBy: readonly GroupTerm[];
  readonly having: Having | null;
  /**
   * Arguments of nested lists, by the key of the list in the answer. Their `fields` are empty: nested selections are part of the parent's.
   */
  readonly deep: Readonly<Record<string, Query>>;
  /** false: a wildcard does not expand the relation that leads back to the parent. */
  readonly backlink: boolean;
}

export const metaFields = ['total_count', 'filter_count', 'cursor'] as const;
export type MetaField = (typeof metaFields)[number];

export const exportFormats = ['csv', 'csv_utf8', 'csv_raw', 'json', 'xml', 'yaml'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** A whole read request after parsing. */
export interface ParsedQuery {
  readonly query: Query;
  readonly literals: readonly unknown[];
  readonly meta: readonly MetaField[];
  /** Counting stops here; null: it goes on to the end. */
  readonly countAtMost: number | null;
  /** The opaque cursor as the client sent it. */
  readonly cursor: string | null;
  readonly export: ExportFormat | null;
  readonly explain: boolean;
  readonly version: string | null;
  /** Answers changed relations as the version stores them instead of the resulting lists. */
  readonly versionRaw: boolean;
}

export const emptyQuery: Query = {
  fields: [],
  filter: null,
  sort: [],
  limit: null,
  offset: null,
  search: null,
  aggregate: [],
  groupBy: [],
  having: null,
  deep: {},
  backlink: true,
};

export const emptyParsedQuery: ParsedQuery = {
  query: emptyQuery,
  literals: [],
  meta: [],
  countAtMost: null,
  cursor: null,
  export: null,
  explain: false,
  version: null,
  versionRaw: false,
};

/** Bounds on what a request may ask, from the configuration. */
export interface QueryLimits {
  readonly depth: number;
  /** -1: no maximum. */
  readonly maxLimit: number;
  readonly defaultLimit: number;
  /** Nodes of filter, selection and sort together. */
  readonly maxNodes: number;
  /** The number of fields one list may be sorted by. */
  readonly maxSortTerms: number;
  /**
   * The number of relations that the filters, orders, groups and counts of one statement may follow together: the database may have to
   * follow each of them for every item of the collection.
   */
  readonly maxHops: number;
  /** The number of values in operand lists, and of keys. */
  readonly maxValues: number;
  readonly maxParameters: number;
  /** The number of items one write may create, change or delete, nested ones included; -1: no maximum. */
  readonly maxWritten: number;
}

export const defaultQueryLimits: QueryLimits = {
  depth: 10,
  maxLimit: -1,
  defaultLimit: 100,
  maxNodes: 5000,
  maxSortTerms: 20,
  maxHops: 200,
  maxValues: 100_000,
  maxParameters: 1000,
  maxWritten: -1,
};
