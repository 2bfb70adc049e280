// What grows while a write is planned: the numbers of the items, the steps so far, the keys known beforehand.

import type { Collection } from '../schema/schema.js';
import type { BoundItem } from './bound-write.js';
import type { ItemKey } from './item-key.js';
import { planParents } from './plan-parents.js';
import type { WriteContext } from './write-context.js';
import type { ItemNumber, ListNumber, WritePlan, WriteStep } from './write-steps.js';

export class PlanState {
  readonly context: WriteContext;
  readonly #numbers = new Map<BoundItem, ItemNumber>();
  readonly #known = new Map<ItemNumber, ItemKey>();
  readonly #steps: WriteStep[] = [];
  #count = 0;
  #lists = 0;

  constructor(context: WriteContext) {
    this.context = context;
  }

  numberOf(item: BoundItem): ItemNumber {
    const present = this.#numbers.get(item);
    if (present !== undefined) return present;
    this.#count += 1;
    this.#numbers.set(item, this.#count);
    const key = knownKey(item);
    if (key !== null) this.#known.set(this.#count, key);
    return this.#count;
  }

  /** Two payloads that say the same of the same item are one. */
  identify(item: BoundItem, same: BoundItem): void {
    this.#numbers.set(item, this.numberOf(same));
  }

  newList(): ListNumber {
    this.#lists += 1;
    return this.#lists;
  }

  add(step: WriteStep): void {
    this.#steps.push(step);
  }

  finish(collection: Collection, roots: readonly BoundItem[]): WritePlan {
    const parents = planParents(this, roots);
    return { collection, steps: this.#steps, known: this.#known, parents, roots: roots.map((item) => this.numberOf(item)) };
  }
}

/** The key of an item that is named by its key; null for new items and for those found by another unique key. */
export function knownKey(item: BoundItem): ItemKey | null {
  const { intent, collection } = item;
  switch (intent.kind) {
    case 'create':
      return null;
    case 'update':
    case 'link':
      return intent.key;
    case 'upsert': {
      const { fields, values } = intent.match;
      return fields.length === collection.primaryKey.length && fields.every((name, index) => name === collection.primaryKey[index])
        ? values
        : null;
    }
  }
}
