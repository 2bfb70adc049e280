// What is known while a plan runs: keys made or found so far, what stands in each list, where each list ends.

import { arePlain, isReference } from '../plan/bound-write.js';
import { type ItemKey, keyText } from '../plan/item-key.js';
import type { ItemNumber, ListNumber, StepRow, StepValue, StepValues, WritePlan } from '../plan/write-steps.js';
import { coerceField } from '../plan/write-value.js';
import type { Collection } from '../schema/schema.js';
import { isLate, LateValue } from '../sql/late-value.js';
import { columnField } from '../sql/written.js';

/** An item of a list and the parent it stands with; null: with none. */
export interface ListedItem {
  readonly key: ItemKey;
  readonly parent: unknown;
}

export class WriteState {
  /** Beside the keys. */
  readonly #values = new Map<ItemNumber, ReadonlyMap<string, unknown>>();
  readonly #keys: Map<ItemNumber, ItemKey>;
  readonly #parents: ReadonlyMap<ItemNumber, ItemNumber>;
  readonly #found = new Map<ItemNumber, boolean>();
  readonly #lists = new Map<ListNumber, Map<string, ListedItem>>();
  readonly #ends = new Map<ListNumber, Map<string, number>>();

  constructor(plan: WritePlan) {
    this.#keys = new Map(plan.known);
    this.#parents = plan.parents;
  }

  /** The item whose payload this one stood in. */
  parentOf(item: ItemNumber): ItemNumber | null {
    return this.#parents.get(item) ?? null;
  }

  key(item: ItemNumber): ItemKey {
    const key = this.#keys.get(item);
    if (key === undefined) throw new Error(`the key of item ${item} is not known yet`);
    return key.some(isLate) ? key.map(known) : key;
  }

  /** What an item has in these fields, its key among them. */
  remember(collection: Collection, item: ItemNumber, fields: readonly string[], find: (name: string) => unknown): void {
    this.#keys.set(item, collection.primaryKey.map(find));
    if (fields.length === collection.primaryKey.length) return;
    const others = fields.filter((name) => !collection.primaryKey.includes(name));
    this.#values.set(item, new Map(others.map((name) => [name, find(name)])));
  }

  decide(item: ItemNumber, found: boolean): void {
    this.#found.set(item, found);
  }

  wasFound(item: ItemNumber): boolean {
    return this.#found.get(item) ?? false;
  }

  isActive({ item, when }: Pick<StepRow, 'item' | 'when'>): boolean {
    return when === 'always' || this.wasFound(item) === (when === 'found');
  }

  list(number: ListNumber): Map<string, ListedItem> {
    const present = this.#lists.get(number) ?? new Map<string, ListedItem>();
    this.#lists.set(number, present);
    return present;
  }

  setEnds(number: ListNumber, ends: Map<string, number>): void {
    this.#ends.set(number, ends);
  }

  /** The value an item has in a field of its collection. */
  fieldOf(collection: Collection, item: ItemNumber, field: string): unknown {
    const place = collection.primaryKey.indexOf(field);
    const value = this.#values.get(item)?.get(field) ?? (place === -1 ? undefined : this.#keys.get(item)?.[place]);
    if (value === undefined) throw new Error(`${collection.name}.${field} of item ${item} is not known yet`);
    return known(value);
  }

  /** The values of a row with everything they refer to in place, in the form of their own columns. */
  resolve(collection: Collection, values: StepValues): ReadonlyMap<string, unknown> {
    if (arePlain(values)) return values;
    const resolved = new Map<string, unknown>();
    for (const [name, value] of values) resolved.set(name, this.#resolveValue(collection, name, value));
    return resolved;
  }

  #resolveValue(collection: Collection, name: string, value: StepValue): unknown {
    if (!isReference(value)) return value;
    switch (value.kind) {
      case 'ref': {
        const referred = this.fieldOf(value.collection, value.item, value.field);
        if (isLate(referred)) return referred;
        const result = coerceField(columnField(collection, name), referred);
        if (!result.ok) throw new Error(`${collection.name}.${name} cannot hold what it refers to`);
        return result.value;
      }
      case 'next':
        // A parent that is not there yet has no list either: its key is found in none.
        return (this.#ends.get(value.list)?.get(keyText([this.fieldOf(value.collection, value.parent, value.field)])) ?? 0) + value.offset;
    }
  }
}

/** Late values as what they are, once they are known. */
const known = (value: unknown): unknown => (value instanceof LateValue ? value.now() : value);
