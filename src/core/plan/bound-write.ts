// A payload after binding: every name is a field the caller may write, every value is canonical, every nested item stands as an
// item of its own. Only `bind-*` makes these and `planWrite` takes nothing else.

import type { ServiceError } from '../errors/service-error.js';
import type { Canonical } from '../schema/coerced.js';
import type { Collection, OneToMany } from '../schema/schema.js';
import type { ItemKey } from './item-key.js';

/** A canonical value; undefined: what was sent does not fit, and the write is refused for it. */
export type PlainValue = Canonical | undefined;
export type PlainValues = ReadonlyMap<string, PlainValue>;

/** What a column gets: a value, or the one that another item of the same write has in `field`. */
export type WriteValue = PlainValue | { readonly item: BoundItem; readonly field: string };

export type WriteValues = ReadonlyMap<string, WriteValue>;

/** Whether something stands for the value of another item. */
export const isReference = <T>(value: T): value is Exclude<T, PlainValue> =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array);

export function arePlain(values: ReadonlyMap<string, unknown>): values is PlainValues {
  for (const value of values.values()) if (isReference(value)) return false;
  return true;
}

/** One way an item may be written. `named`: the fields the caller named, which his rules are asked about. */
export interface BoundVariant {
  readonly values: WriteValues;
  readonly named: readonly string[];
}

/** An upsert is bound both ways; the way that is refused fails only when it is taken. */
export type Variant =
  | { readonly kind: 'ready'; readonly variant: BoundVariant }
  | { readonly kind: 'refused'; readonly error: ServiceError };

/** How an item is found before it is written: by its key or by the fields of a unique key. */
export interface Match {
  readonly fields: readonly string[];
  readonly values: readonly unknown[];
}

export type Intent =
  | { readonly kind: 'create'; readonly create: BoundVariant }
  | { readonly kind: 'update'; readonly key: ItemKey; readonly update: BoundVariant }
  /** The item is only pointed at. */
  | { readonly kind: 'link'; readonly key: ItemKey }
  | { readonly kind: 'upsert'; readonly match: Match; readonly create: Variant; readonly update: Variant };

export interface BoundItem {
  readonly collection: Collection;
  /** Names of the relations from the root of the payload to here. */
  readonly path: readonly string[];
  readonly intent: Intent;
  /** Items this one points at, written before it. */
  readonly toOne: readonly BoundToOne[];
  /** Keys this item points at without writing what is there, where the database itself does not refuse those that are missing. */
  readonly links: readonly BoundLink[];
  /** Items that point at this one, written after it. */
  readonly toMany: readonly BoundToMany[];
}

export interface BoundToOne {
  readonly field: string;
  /** The field of the other item whose value ours holds. */
  readonly relatedField: string;
  readonly item: BoundItem;
}

export interface BoundLink {
  readonly field: string;
  readonly related: Collection;
  readonly relatedField: string;
  readonly value: unknown;
}

export interface BoundToMany {
  readonly relation: OneToMany;
  readonly related: Collection;
  /** basic: whatever is not named is removed from the relation; detailed: only `removed` is. */
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
