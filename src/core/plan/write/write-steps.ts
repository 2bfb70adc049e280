// A write as a flat list of steps. Items are numbered. A key that does not exist yet is written as "the field of item n", and the step that
// creates item n precedes the steps that use it. Each step is one bulk operation, however many items it has.

import type { Collection, OneToMany } from '../../schema/schema.js';
import type { BoundFilter } from '../names/bound-filter.js';
import type { Match, PlainValue, Variant } from './bound-write.js';
import type { ItemKey } from './item-key.js';

export type ItemNumber = number;

export type StepValue =
  | PlainValue
  | {
      readonly kind: 'ref';
      readonly collection: Collection;
      readonly item: ItemNumber;
      readonly field: string;
      /** Other values given for the column, which must be equal. */
      readonly agrees?: readonly StepValue[];
    }
  /** The next position in the parent's list; `offset` counts the new items of the list. */
  | {
      readonly kind: 'next';
      readonly list: ListNumber;
      readonly collection: Collection;
      readonly parent: ItemNumber;
      /** The fields of the parent that the list refers to. */
      readonly fields: readonly string[];
      readonly offset: number;
    };

export type StepValues = ReadonlyMap<string, StepValue>;

/** `when`: an upsert writes the row only if `find` did not find the item (missing), or did (found). */
export interface StepRow {
  readonly item: ItemNumber;
  readonly values: StepValues;
  readonly when: 'always' | 'missing' | 'found';
}

export type ListNumber = number;

export type WriteStep =
  /** Looks for existing items. An item that is found gets its key; if the outcome was refused when it was bound, the write fails. */
  | { readonly kind: 'find'; readonly collection: Collection; readonly items: readonly FindItem[] }
  /** Items that must exist and be visible to the caller, else the write is refused. */
  | { readonly kind: 'check'; readonly collection: Collection; readonly items: readonly ItemNumber[]; readonly guard: BoundFilter | null }
  | {
      readonly kind: 'check-links';
      readonly collection: Collection;
      readonly fields: readonly string[];
      /** Tuples of values, in the order of the fields. */
      readonly lists: readonly (readonly unknown[])[];
      readonly guard: BoundFilter | null;
      readonly readsAll: boolean;
    }
  /** Reads values of existing items that others refer to and that are not part of the key. */
  | { readonly kind: 'fetch'; readonly collection: Collection; readonly items: readonly ItemNumber[]; readonly fields: readonly string[] }
  | { readonly kind: 'insert'; readonly collection: Collection; readonly rows: readonly StepRow[]; readonly returning: readonly string[] }
  /** Checks columns that are shared with other foreign keys: the update that follows must not change their values. */
  | {
      readonly kind: 'check-shared';
      readonly collection: Collection;
      readonly rows: readonly StepRow[];
      readonly columns: readonly string[];
      readonly guard: BoundFilter | null;
    }
  /** `guard` must hold before the update and `after` afterwards: an update may not move an item out of the caller's rule. */
  | {
      readonly kind: 'update';
      readonly collection: Collection;
      readonly rows: readonly StepRow[];
      readonly guard: BoundFilter | null;
      readonly after: BoundFilter | null;
    }
  /** Reads the current items of the relation, as far as the caller may see them: those of the parents, or those with the keys. */
  | {
      readonly kind: 'list';
      readonly list: ListNumber;
      readonly relation: ToManyRelation;
      readonly parents: readonly ItemNumber[];
      readonly keys: readonly ItemKey[] | null;
      readonly visible: BoundFilter | null;
    }
  /** Reads the highest value of the relation's sort field per parent. */
  | { readonly kind: 'last'; readonly list: ListNumber; readonly relation: ToManyRelation; readonly parents: readonly ItemNumber[] }
  | {
      readonly kind: 'unlink';
      readonly list: ListNumber;
      readonly relation: ToManyRelation;
      readonly entries: readonly UnlinkEntry[];
      readonly guard: BoundFilter | null;
      readonly after: BoundFilter | null;
    }
  /** Moves existing items to their parent; those that are there already stay untouched. */
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

/** keep: all other items of the parent are removed; remove: only these are. */
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
  /** Keys that are known before any step runs. */
  readonly known: ReadonlyMap<ItemNumber, ItemKey>;
  /** Nested items, each with the item whose payload contained it. */
  readonly parents: ReadonlyMap<ItemNumber, ItemNumber>;
  /** The top-level items of the request, in its order. */
  readonly roots: readonly ItemNumber[];
}
