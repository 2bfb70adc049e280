// What binding one item of a payload takes and collects. The binder of items is handed down to the binders of relations, which
// meet items again.

import type { Collection } from '../schema/schema.js';
import type { BoundItem, BoundLink, BoundToMany, BoundToOne, WriteValue } from './bound-write.js';
import type { ItemKey } from './item-key.js';
import type { WriteContext } from './write-context.js';
import type { Payload } from './write-payload.js';

type Way =
  | { readonly kind: 'create' }
  | { readonly kind: 'update'; readonly key: ItemKey }
  /** `match`: names of the fields of a unique key that the payload must give. */
  | { readonly kind: 'upsert'; readonly match: readonly string[] };

export interface ItemInput {
  readonly collection: Collection;
  readonly payload: Payload;
  readonly way: Way;
  readonly path: readonly string[];
  /** Fields that get their value from the relation the item stands in. */
  readonly given: ReadonlySet<string>;
}

export interface Binder {
  readonly context: WriteContext;
  readonly bindItem: (input: ItemInput) => BoundItem;
}

/** What the relations of one item came to. */
export interface Nested {
  readonly toOne: BoundToOne[];
  readonly links: BoundLink[];
  readonly toMany: BoundToMany[];
  /** What the columns of relations get. */
  readonly values: Map<string, WriteValue>;
}
