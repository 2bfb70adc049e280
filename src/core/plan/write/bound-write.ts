// The result of binding a payload: every name is a field that the caller may write, every value is canonical, and every nested item is an
// item of its own. Only `bind-*` creates these values and `planWrite` accepts nothing else.

import type { ServiceError } from '../../errors/service-error.js';
import type { Collection, OneToMany } from '../../schema/schema.js';
import type { Canonical } from '../../schema/types/coerced.js';
import type { ItemKey } from './item-key.js';

/** A canonical value; undefined: the value that was sent does not fit, and the write is refused for it. */
export type PlainValue = Canonical | undefined;
export type PlainValues = ReadonlyMap<string, PlainValue>;

/**
 * The value of a column: a plain value, or the value that another item of the same write has in `field`. `agrees`: other values given for
 * the column, which must turn out equal.
 */
export type WriteValue = PlainValue | { readonly item: BoundItem; readonly field: string; readonly agrees?: readonly WriteValue[] };

export type WriteValues = ReadonlyMap<string, WriteValue>;

/** Whether the value refers to another item of the write. */
export const isReference = <T>(value: T): value is Exclude<T, PlainValue> =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array);

export function arePlain(values: ReadonlyMap<string, unknown>): values is PlainValues {
  for (const value of values.values()) if (isReference(value)) return false;
  return true;
}

/** One way to write an item. `named`: the fields that the caller sent, to which the caller's rules apply. */
export interface BoundVariant {
  readonly values: WriteValues;
  readonly named: readonly string[];
}

/** An upsert is bound for both outcomes; the refused one fails only if it is taken. */
export type Variant =
  | { readonly kind: 'ready'; readonly variant: BoundVariant }
  | { readonly kind: 'refused'; readonly error: ServiceError };

/** How an item is found before it is written: by its primary key or by another unique key. */
export interface Match {
  readonly fields: readonly string[];
  readonly values: readonly unknown[];
}

export type Intent =
  | { readonly kind: 'create'; readonly create: BoundVariant }
  | { readonly kind: 'update'; readonly key: ItemKey; readonly update: BoundVariant }
  /** The item is linked and not changed. */
  | { readonly kind: 'link'; readonly key: ItemKey }
  | { readonly kind: 'upsert'; readonly match: Match; readonly create: Variant; readonly update: Variant };

export interface BoundItem {
  readonly collection: Collection;
  /** The names of the relations from the root of the payload to this item. */
  readonly path: readonly string[];
  readonly intent: Intent;
  /** The items that this one points at; written before it. */
  readonly toOne: readonly BoundToOne[];
  /** Existing items that this one points at, which must be looked up because no constraint of the database refuses missing ones. */
  readonly links: readonly BoundLink[];
  /** The items that point at this one; written after it. */
  readonly toMany: readonly BoundToMany[];
}

export interface BoundToOne {
  readonly field: string;
  /** The fields of the other item whose values this one stores. */
  readonly relatedFields: readonly string[];
  readonly item: BoundItem;
}

/** An item that must exist: the one with these values in these fields. */
export interface BoundLink {
  readonly related: Collection;
  readonly relatedFields: readonly string[];
  readonly values: readonly unknown[];
}

export interface BoundToMany {
  readonly relation: OneToMany;
  readonly related: Collection;
  /** basic: items that are not listed are removed from the relation; detailed: only `removed` are. */
  readonly form: 'basic' | 'detailed';
  readonly entries: readonly BoundItem[];
  readonly removed: readonly ItemKey[];
}

declare const bound: unique symbol;

export interface BoundWrite {
  readonly [bound]: true;
  readonly collection: Collection;
  readonly items: readonly BoundItem[];
}

export interface BoundDelete {
  readonly [bound]: true;
  readonly collection: Collection;
  readonly keys: readonly ItemKey[];
}

export const asBoundWrite = (write: Omit<BoundWrite, typeof bound>): BoundWrite => write as BoundWrite;
export const asBoundDelete = (deletion: Omit<BoundDelete, typeof bound>): BoundDelete => deletion as BoundDelete;
