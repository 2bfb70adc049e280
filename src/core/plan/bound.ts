// A request after binding: every name is a field the caller may see, every operator fits its type, every rule of the caller stands
// in it. Only `bind-*` makes these and only `core/sql` reads them, so no unauthorised query reaches SQL.

import type { JsonPath } from '../query/json-path.js';
import type { OperatorName } from '../query/operators.js';
import type { AggregateFunction } from '../query/query.js';
import type { DatePart } from '../schema/date-part.js';
import type { ColumnType } from '../schema/field-type.js';
import type { Collection, ColumnField, ManyToAny, ManyToOne, OneToMany } from '../schema/schema.js';
import type { ValueSource } from './value-source.js';

/** One value of an item. `rule`: the items on which the caller may use the field, null for all he may see. */
export type Scalar =
  | { readonly kind: 'column'; readonly field: ColumnField; readonly rule: BoundFilter | null }
  | { readonly kind: 'date-part'; readonly part: DatePart; readonly field: ColumnField; readonly rule: BoundFilter | null }
  | { readonly kind: 'json-length'; readonly field: ColumnField; readonly rule: BoundFilter | null }
  | {
      readonly kind: 'json-path';
      readonly field: ColumnField;
      readonly path: JsonPath;
      readonly numeric: boolean;
      readonly rule: BoundFilter | null;
    }
  | {
      readonly kind: 'related-count';
      readonly relation: OneToMany;
      readonly related: Collection;
      readonly filter: BoundFilter | null;
      readonly rule: BoundFilter | null;
    }
  /** A value of the item a many-to-one points at. */
  | {
      readonly kind: 'through';
      readonly relation: ManyToOne;
      readonly related: Collection;
      readonly filter: BoundFilter | null;
      readonly value: Scalar;
      readonly rule: BoundFilter | null;
    };

export type BoundFilter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly BoundFilter[] }
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'compare';
      readonly value: Scalar;
      readonly operator: OperatorName;
      readonly operand: ValueSource | null;
      readonly strict: boolean;
      readonly lenient: boolean;
    }
  | {
      readonly kind: 'exists';
      readonly relation: ManyToOne | OneToMany;
      readonly related: Collection;
      readonly filter: BoundFilter | null;
      readonly negated: boolean;
      readonly rule: BoundFilter | null;
    }
  | {
      readonly kind: 'exists-any';
      readonly relation: ManyToAny;
      readonly related: Collection;
      readonly filter: BoundFilter | null;
      readonly negated: boolean;
      readonly rule: BoundFilter | null;
    };

export interface BoundOrder {
  readonly value: Scalar;
  readonly descending: boolean;
}

/** A place in an order, to go on behind it: its marks are given when the statement runs, which of them are null is known before. */
export interface BoundPlace {
  readonly nulls: readonly boolean[];
}

/** Which items of a list, and in which order. */
export interface BoundPage {
  readonly collection: Collection;
  readonly filter: BoundFilter | null;
  readonly order: readonly BoundOrder[];
  readonly after: BoundPlace | null;
  /** null: all. */
  readonly limit: number | null;
  readonly offset: ValueSource | null;
}

/** What is answered of one item. */
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
  /** Stars, or null where nothing is stored. */
  | { readonly kind: 'concealed'; readonly field: ColumnField; readonly rule: BoundFilter | null }
  /** A presentation alias. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'constant'; readonly text: string }
  /** Several values of the same item in an object of their own. */
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

/** One collection a many-to-any may point at. `shape` null: only the bare key was asked for. */
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
  /** Every item comes with its place in the order (paging by cursor). */
  readonly marked: boolean;
  /** false when a value of the request stands in the plan itself (an offset inside a nested list). */
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

/** The type a scalar is compared and bound by. */
export function scalarType(scalar: Scalar): ColumnType {
  switch (scalar.kind) {
    case 'column':
      return scalar.field.type === 'alias' ? 'unknown' : scalar.field.type;
    case 'date-part':
    case 'json-length':
    case 'related-count':
      return 'integer';
    case 'json-path':
      return scalar.numeric ? 'float' : 'text';
    case 'through':
      return scalarType(scalar.value);
  }
}

export const asBoundRead = (read: Omit<BoundRead, typeof bound>): BoundRead => read as BoundRead;
export const asBoundGroups = (groups: Omit<BoundGroups, typeof bound>): BoundGroups => groups as BoundGroups;

/** All of them; null stands for "everything". */
export function allOf(filters: readonly (BoundFilter | null)[]): BoundFilter | null {
  const present = filters.filter((filter): filter is BoundFilter => filter !== null);
  const only = present[0];
  if (present.length <= 1) return only ?? null;
  return { kind: 'and', filters: present };
}
