// What is known while a plan runs: keys generated or found so far, the contents of lists, and the last position of each list.

import { invalidPayload } from '../../errors/service-error.js';
import { arePlain, isReference } from '../../plan/write/bound-write.js';
import { type ItemKey, keyText } from '../../plan/write/item-key.js';
import type { ItemNumber, ListNumber, StepRow, StepValue, StepValues, WritePlan } from '../../plan/write/write-steps.js';
import { coerceField } from '../../plan/write/write-value.js';
import type { Collection, OneToMany } from '../../schema/schema.js';
import { isPending, PendingKey } from '../../sql/pending-key.js';
import { columnField } from '../../sql/written.js';

/** An item that may be in a list, and its parent; null: it has none. */
export interface ListedItem {
  readonly key: ItemKey;
  readonly parent: readonly unknown[] | null;
}

export class WriteState {
  /** Values other than keys. */
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

  /** The item whose payload contained this one. */
  parentOf(item: ItemNumber): ItemNumber | null {
    return this.#parents.get(item) ?? null;
  }

  key(item: ItemNumber): ItemKey {
    const key = this.#keys.get(item);
    if (key === undefined) throw new Error(`the key of item ${item} is not known yet`);
    return key.some(isPending) ? key.map(known) : key;
  }

  /** Remembers the values of an item in these fields, its key among them. */
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

  /** The value of an item in a field of its collection. */
  fieldOf(collection: Collection, item: ItemNumber, field: string): unknown {
    const place = collection.primaryKey.indexOf(field);
    const value = place === -1 ? this.#values.get(item)?.get(field) : this.#keys.get(item)?.[place];
    if (value === undefined) throw new Error(`${collection.name}.${field} of item ${item} is not known yet`);
    return known(value);
  }

  /** The values by which the items of a list refer to their parent. */
  parentKey(owner: Collection, parent: ItemNumber, { pairs }: OneToMany): readonly unknown[] {
    return pairs.map(({ target }) => this.fieldOf(owner, parent, target));
  }

  /** The values of a row with all references resolved, in the form of their columns. */
  resolve(collection: Collection, values: StepValues): ReadonlyMap<string, unknown> {
    if (arePlain(values)) return values;
    const resolved = new Map<string, unknown>();
    for (const [name, value] of values) resolved.set(name, this.#resolveValue(collection, name, value));
    return resolved;
  }

  /** Pending keys cannot be compared: they count as different. */
  #checkSame(collection: Collection, name: string, one: unknown, other: unknown): void {
    if (isPending(one) || isPending(other) || keyText([one]) !== keyText([other]))
      throw invalidPayload(`The values given for "${name}" of an item of "${collection.name}" differ.`);
  }

  #resolveValue(collection: Collection, name: string, value: StepValue): unknown {
    if (!isReference(value)) return value;
    switch (value.kind) {
      case 'ref': {
        const referred = this.fieldOf(value.collection, value.item, value.field);
        for (const other of value.agrees ?? []) this.#checkSame(collection, name, referred, this.#resolveValue(collection, name, other));
        if (isPending(referred)) return referred;
        const result = coerceField(columnField(collection, name), referred);
        // What the database itself made need not have the form that the type asks of clients: a default without dashes in a column for UUIDs.
        return result.ok ? result.value : referred;
      }
      case 'next': {
        // A parent that is only being created has no list yet: its key is not found.
        const parent = value.fields.map((field) => this.fieldOf(value.collection, value.parent, field));
        return (this.#ends.get(value.list)?.get(keyText(parent)) ?? 0) + value.offset;
      }
    }
  }
}

/** A pending key becomes the generated one as soon as that is known. */
const known = (value: unknown): unknown => (value instanceof PendingKey ? value.current() : value);
