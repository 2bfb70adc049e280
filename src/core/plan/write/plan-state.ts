// The state of planning a write: the numbers of the items, the steps so far, and the keys that are known beforehand.

import type { Collection } from '../../schema/schema.js';
import type { BoundItem } from './bound-write.js';
import type { ItemKey } from './item-key.js';
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

  /** Makes two payloads that write the same to the same item one item. */
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

/** The key of an item that is identified by its primary key; null for new items and for those found by another unique key. */
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

/** Maps each nested item to the item whose payload contained it. */
function planParents(state: PlanState, items: readonly BoundItem[]): ReadonlyMap<ItemNumber, ItemNumber> {
  const parents = new Map<ItemNumber, ItemNumber>();
  for (const item of items) collect(state, item, parents);
  return parents;
}

function collect(state: PlanState, item: BoundItem, parents: Map<ItemNumber, ItemNumber>): void {
  if (item.toOne.length + item.toMany.length === 0) return;
  const own = state.numberOf(item);
  for (const nested of [...item.toOne.map((entry) => entry.item), ...item.toMany.flatMap((many) => many.entries)]) {
    const number = state.numberOf(nested);
    if (number === own || parents.has(number)) continue;
    parents.set(number, own);
    collect(state, nested, parents);
  }
}
