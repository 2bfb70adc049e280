// A write as a flat list of steps. Items are numbered; a key that does not exist yet is said as "the field of item n", and the step
// that makes item n stands before the steps that use it. Each step is one bulk operation, however many items it has.

import type { Collection, OneToMany } from '../schema/schema.js';
import type { BoundFilter } from './bound.js';
import type { Match, PlainValue, Variant } from './bound-write.js';
import type { ItemKey } from './item-key.js';

export type ItemNumber = number;

export type StepValue =
  | PlainValue
  | { readonly kind: 'ref'; readonly collection: Collection; readonly item: ItemNumber; readonly field: string }
  /** The place after the last item of the parent's list, counted up for each further one. */
  | {
      readonly kind: 'next';
      readonly list: ListNumber;
      readonly collection: Collection;
      readonly parent: ItemNumber;
      readonly field: string;
      readonly offset: number;
    };

export type StepValues = ReadonlyMap<string, StepValue>;

/** `when`: an upsert writes the row only if `find` did not (or did) find the item. */
export interface StepRow {
  readonly item: ItemNumber;
  readonly values: StepValues;
  readonly when: 'always' | 'missing' | 'found';
}

export type ListNumber = number;

export type WriteStep =
  /** Which of these exist; what is found gets its key, what may not be taken as it is found fails. */
  | { readonly kind: 'find'; readonly collection: Collection; readonly items: readonly FindItem[] }
  /** Items or values that must be there for the caller, else the write is refused. */
  | { readonly kind: 'check'; readonly collection: Collection; readonly items: readonly ItemNumber[]; readonly guard: BoundFilter | null }
  | {
      readonly kind: 'check-links';
      readonly collection: Collection;
      readonly field: string;
      readonly values: readonly unknown[];
      readonly guard: BoundFilter | null;
      readonly readsAll: boolean;
    }
  /** Values of existing items that others refer to and that are no part of the key. */
  | { readonly kind: 'fetch'; readonly collection: Collection; readonly items: readonly ItemNumber[]; readonly fields: readonly string[] }
  | { readonly kind: 'insert'; readonly collection: Collection; readonly rows: readonly StepRow[]; readonly returning: readonly string[] }
  /** `guard` holds before, `after` once it is done: an update may not move an item out of the caller's rule. */
  | {
      readonly kind: 'update';
      readonly collection: Collection;
      readonly rows: readonly StepRow[];
      readonly guard: BoundFilter | null;
      readonly after: BoundFilter | null;
    }
  /** What stands in the relation now, as far as the caller may see it: of these parents, or of these keys only. */
  | {
      readonly kind: 'list';
      readonly list: ListNumber;
      readonly relation: ToManyRelation;
      readonly parents: readonly ItemNumber[];
      readonly keys: readonly ItemKey[] | null;
      readonly visible: BoundFilter | null;
    }
  /** The highest place in the relation's sort field per parent. */
  | { readonly kind: 'last'; readonly list: ListNumber; readonly relation: ToManyRelation; readonly parents: readonly ItemNumber[] }
  | {
      readonly kind: 'unlink';
      readonly list: ListNumber;
      readonly relation: ToManyRelation;
      readonly entries: readonly UnlinkEntry[];
      readonly guard: BoundFilter | null;
      readonly after: BoundFilter | null;
    }
  /** Existing items move to their parent; those that stand there already are left alone. */
  | {
      readonly kind: 'link';
      readonly list: ListNumber;
      readonly relation: ToManyRelation;
      readonly rows: readonly LinkRow[];
      readonly guard: BoundFilter | null;
      readonly after: BoundFilter | null;
    }
  | { readonly kind: 'delete'; readonly collection: Collection; readonly keys: readonly ItemKey[]; readonly guard: BoundFilter | null };

export interface FindItem {
  readonly item: ItemNumber;
  readonly match: Match;
  readonly create: Variant;
  readonly update: Variant;
}

export interface ToManyRelation {
  /** The one side. */
  readonly owner: Collection;
  readonly relation: OneToMany;
  readonly related: Collection;
}

/** keep: everything else of the parent goes; remove: only these go. */
export type UnlinkEntry =
  | { readonly kind: 'keep'; readonly parent: ItemNumber; readonly items: readonly ItemNumber[] }
  | { readonly kind: 'remove'; readonly parent: ItemNumber; readonly keys: readonly ItemKey[] };

interface LinkRow {
  readonly item: ItemNumber;
  readonly parent: ItemNumber;
  readonly when: 'always' | 'found';
}

export interface WritePlan {
  readonly collection: Collection;
  readonly steps: readonly WriteStep[];
  /** Keys known before anything runs. */
  readonly known: ReadonlyMap<ItemNumber, ItemKey>;
  /** Nested items and the items whose payloads they stood in. */
  readonly parents: ReadonlyMap<ItemNumber, ItemNumber>;
  /** The items of the request itself, in its order. */
  readonly roots: readonly ItemNumber[];
}
