// A read after binding: the page (which items, in which order) and the shape (what is answered of each), or groups with totals. As with
// bound filters, only `bind-*` creates these values and core/sql accepts nothing else.

import type { JsonPath } from '../../query/json-path.js';
import type { OperatorName } from '../../query/operators.js';
import type { AggregateFunction } from '../../query/query.js';
import type { Collection, ColumnField, ManyToAny, ManyToOne, OneToMany } from '../../schema/schema.js';
import type { BoundFilter, Scalar } from '../names/bound-filter.js';
import type { ValueSource } from '../names/value-source.js';

export interface BoundOrder {
  readonly value: Scalar;
  readonly descending: boolean;
}

/**
 * A position in an order, to continue after it. Its values are bound when the statement runs; which of them are null is part of the plan.
 */
export interface CursorPosition {
  readonly nulls: readonly boolean[];
}

/** Which items of a list, and in which order. */
export interface BoundPage {
  readonly collection: Collection;
  readonly filter: BoundFilter | null;
  readonly order: readonly BoundOrder[];
  readonly after: CursorPosition | null;
  /** null: no limit. */
  readonly limit: number | null;
  readonly offset: ValueSource | null;
}

/** What the answer contains of one item: an object, or a bare value for lists of keys. */
export type Shape =
  | { readonly kind: 'object'; readonly fields: readonly ShapeField[] }
  | { readonly kind: 'value'; readonly value: Output };

export interface ShapeField {
  readonly as: string;
  readonly output: Output;
}

export type Cast = 'string' | 'number' | null;

export type Output =
  | { readonly kind: 'scalar'; readonly scalar: Scalar; readonly cast: Cast }
  | { readonly kind: 'json-value'; readonly field: ColumnField; readonly path: JsonPath; readonly rule: BoundFilter | null }
  /** Answered as asterisks, or as null if no value is stored. */
  | { readonly kind: 'concealed'; readonly field: ColumnField; readonly rule: BoundFilter | null }
  /** A presentation alias. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'constant'; readonly text: string }
  /** A digest of several values of the same item. */
  | { readonly kind: 'digest'; readonly fields: readonly ShapeField[] }
  /** Several values of the same item as a nested object. */
  | { readonly kind: 'object'; readonly fields: readonly ShapeField[] }
  | {
      readonly kind: 'to-one';
      readonly relation: ManyToOne;
      readonly related: Collection;
      readonly filter: BoundFilter | null;
      readonly shape: Shape;
      readonly rule: BoundFilter | null;
    }
  | {
      readonly kind: 'to-many';
      readonly relation: OneToMany;
      readonly page: BoundPage;
      readonly shape: Shape;
      readonly rule: BoundFilter | null;
    }
  | { readonly kind: 'to-any'; readonly relation: ManyToAny; readonly targets: readonly AnyTarget[]; readonly rule: BoundFilter | null }
  | { readonly kind: 'groups'; readonly relation: OneToMany; readonly groups: BoundGroups; readonly rule: BoundFilter | null };

/** One collection that a many-to-any may point into. `shape` null: only the key was requested. */
export interface AnyTarget {
  readonly related: Collection;
  readonly filter: BoundFilter | null;
  readonly shape: Shape | null;
}

declare const bound: unique symbol;

export interface BoundRead {
  readonly [bound]: true;
  readonly page: BoundPage;
  readonly shape: Shape;
  /** Every item is answered with its position in the order, for paging by cursor. */
  readonly marked: boolean;
  /** false when the plan contains a value of the request (the offset of a nested list), so that it cannot be reused. */
  readonly cacheable: boolean;
}

export interface BoundAggregate {
  readonly fn: AggregateFunction;
  /** null: `*`. */
  readonly value: Scalar | null;
  /** The key under the function's name (`avg: {price: …}`), null for `count: N`. */
  readonly as: string | null;
}

export interface BoundGroup {
  readonly as: string;
  readonly value: Scalar;
}

export type BoundHaving =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly BoundHaving[] }
  | { readonly kind: 'compare'; readonly aggregate: BoundAggregate; readonly operator: OperatorName; readonly operand: ValueSource | null };

export type GroupOrder = { readonly descending: boolean } & (
  | { readonly kind: 'group'; readonly index: number }
  | { readonly kind: 'aggregate'; readonly aggregate: BoundAggregate }
);

export interface BoundGroups {
  readonly [bound]: true;
  readonly collection: Collection;
  readonly filter: BoundFilter | null;
  readonly groups: readonly BoundGroup[];
  readonly aggregates: readonly BoundAggregate[];
  readonly having: BoundHaving | null;
  readonly order: readonly GroupOrder[];
  readonly limit: number | null;
  readonly offset: ValueSource | null;
  readonly cacheable: boolean;
}

export const asBoundRead = (read: Omit<BoundRead, typeof bound>): BoundRead => read as BoundRead;
export const asBoundGroups = (groups: Omit<BoundGroups, typeof bound>): BoundGroups => groups as BoundGroups;
