// What was asked: the one query tree, whichever door it came by. It holds names and structure only; literal values stand
// apart in `ParsedQuery.literals` and the tree points at them by slot, so that two queries that differ only in values are the
// same tree and share a plan. No schema, no I/O.

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

/** Index into the literals of the same ParsedQuery. */
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
      /** Many-to-any: what to select per related collection (`item:pages.title`). */
      readonly scopes: Readonly<Record<string, readonly Selection[]>>;
      /** GraphQL's scalars: keys answered as text (`ID`), decimals as numbers (`Float`). Absent: the type's own form. */
      readonly cast?: 'string' | 'number';
    }
  /** GraphQL's `__typename` as a constant: the name given, else the collection's. */
  | { readonly kind: 'typename'; readonly as: string; readonly name?: string }
  /** An object of several values of the same item: GraphQL's `published_func { year month }`. */
  | { readonly kind: 'object'; readonly as: string; readonly children: readonly Selection[] }
  /** Selects nothing: alone it answers `{}`, where an empty list of selections would answer everything. */
  | { readonly kind: 'nothing' };

export type Filter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  /** `slot` is null for operators that take no operand (`_null`, `_empty`, …). */
  | { readonly kind: 'compare'; readonly field: FieldRef; readonly operator: OperatorName; readonly slot: Slot | null }
  | { readonly kind: 'json'; readonly field: FieldRef; readonly path: string; readonly operator: OperatorName; readonly slot: Slot | null }
  /** Conditions on the other side of a relation; all of them must hold for the same related item. */
  | { readonly kind: 'related'; readonly field: FieldRef; readonly quantifier: 'some' | 'none'; readonly filter: Filter };

export interface SortTerm {
  readonly path: Path;
  readonly descending: boolean;
}

export const aggregateFunctions = ['count', 'countDistinct', 'countAll', 'sum', 'sumDistinct', 'avg', 'avgDistinct', 'min', 'max'] as const;
export type AggregateFunction = (typeof aggregateFunctions)[number];

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
  /** Arguments of nested lists, by the key in the answer. Their `fields` are empty: the selection stands in the parent's. */
  readonly deep: Readonly<Record<string, Query>>;
  /** false: a wildcard does not follow the way back to the parent. */
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
  /** The opaque cursor as sent. */
  readonly cursor: string | null;
  readonly export: ExportFormat | null;
  readonly explain: boolean;
  readonly version: string | null;
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
  cursor: null,
  export: null,
  explain: false,
  version: null,
};

/** Bounds of what a request may ask; from the configuration. */
export interface QueryLimits {
  readonly depth: number;
  /** -1: no maximum. */
  readonly maxLimit: number;
  readonly defaultLimit: number;
  /** Nodes of filter, selection and sort together. */
  readonly maxNodes: number;
  /** Values of lists to compare with, and keys. */
  readonly maxValues: number;
  readonly maxParameters: number;
}

export const defaultQueryLimits: QueryLimits = {
  depth: 10,
  maxLimit: -1,
  defaultLimit: 100,
  maxNodes: 5000,
  maxValues: 100_000,
  maxParameters: 1000,
};
