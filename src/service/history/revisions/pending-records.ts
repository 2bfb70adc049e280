// The writes of a transaction that are not recorded yet. Several steps of one write on the same item make one record.

import type { ObservedKey } from '../../../core/engine/work/run-row.js';
import type { ObservedEvent, WriteAction } from '../../../core/engine/write/hooks.js';
import type { Collection } from '../../../core/schema/schema.js';
import type { PendingKey } from '../../../core/sql/pending-key.js';
import { itemIdentity, pendingItemText } from '../subjects/item-text.js';
import type { ActivityNumber } from './history-rows.js';

export interface WriteRecord {
  readonly collection: Collection;
  readonly action: WriteAction;
  readonly key: ObservedKey;
  /** All values that the write has set. */
  values: ReadonlyMap<string, unknown>;
  /** The JSON text of the item before its deletion; null for other actions and where revisions are off. */
  readonly deletedText: string | null;
  /** The item before its update; null for other actions and where revisions are off. */
  before: StateBefore | null;
  /** The record of the item whose payload contained this one; set when the whole write has been observed. */
  parent: WriteRecord | null;
  /** The key of its activity, once that insert is queued. */
  number: ActivityNumber | null;
}

export interface StateBefore {
  /** The digest of the whole item. */
  readonly digest: string;
  /** The values of the fields that the update names. */
  readonly previous: Readonly<Record<string, unknown>>;
}

interface Placed {
  readonly record: WriteRecord;
  readonly parent: number | null;
}

export class PendingRecords {
  #write: object | null = null;
  #records: WriteRecord[] = [];
  #byItem = new Map<Collection, Map<string | PendingKey, WriteRecord>>();
  #byNumber = new Map<number, Placed>();
  /** What items are before a write, by key text. For a deletion, their JSON texts. */
  readonly #deleted = new Kept<string>();
  readonly #updated = new Kept<StateBefore>();

  /** Keeps the texts of items, by key text, until their deletion is observed. */
  keepDeleted(collection: Collection, texts: ReadonlyMap<string, string>): void {
    this.#deleted.add(collection, texts);
  }

  /** Keeps what items are, by key text, until their update is observed. */
  keepUpdated(collection: Collection, states: ReadonlyMap<string, StateBefore>): void {
    this.#updated.add(collection, states);
  }

  get size(): number {
    return this.#records.length;
  }

  /** Whether this event belongs to another write than the event before. */
  isNewWrite({ write }: ObservedEvent): boolean {
    return this.#write !== write;
  }

  add(event: ObservedEvent): void {
    if (this.isNewWrite(event)) this.#begin(event.write);
    const { collection, action } = event;
    for (const { key, values, item, parent } of event.items) {
      if (key === null) continue;
      const record = this.#record(collection, action, key, values);
      if (item !== null && !this.#byNumber.has(item)) this.#byNumber.set(item, { record, parent });
    }
  }

  /** Returns all records in the order of writing and forgets them. */
  take(): readonly WriteRecord[] {
    this.#begin(null);
    const records = this.#records;
    this.#records = [];
    return records;
  }

  #begin(write: object | null): void {
    for (const { record, parent } of this.#byNumber.values()) {
      const above = parent === null ? null : (this.#byNumber.get(parent)?.record ?? null);
      // An item may occur again among its own nested items; its record must not become a child of theirs.
      if (above !== null && !isWithin(above, record)) record.parent = above;
    }
    this.#write = write;
    this.#byItem = new Map();
    this.#byNumber = new Map();
  }

  /** Adds to the item's record in this write, if it has one: an update after a create belongs to the create. */
  #record(collection: Collection, action: WriteAction, key: ObservedKey, values: WriteRecord['values']): WriteRecord {
    const ofCollection = this.#byItem.get(collection) ?? new Map<string | PendingKey, WriteRecord>();
    this.#byItem.set(collection, ofCollection);
    const text = pendingItemText(key);
    const deletedText = action === 'delete' && typeof text === 'string' ? this.#deleted.take(collection, text) : null;
    const before = action === 'update' && typeof text === 'string' ? this.#updated.take(collection, text) : null;
    const identity = itemIdentity(text);
    const known = ofCollection.get(identity);
    if (known !== undefined && (known.action === 'delete') === (action === 'delete')) {
      known.values = known.values.size === 0 ? values : new Map([...known.values, ...values]);
      // Of a field that several steps change, what was there before the first of them.
      if (known.before !== null && before !== null)
        known.before = { ...known.before, previous: { ...before.previous, ...known.before.previous } };
      return known;
    }
    const record: WriteRecord = { collection, action, key, values, deletedText, before, parent: null, number: null };
    ofCollection.set(identity, record);
    this.#records.push(record);
    return record;
  }
}

class Kept<T> {
  readonly #states = new Map<Collection, Map<string, T>>();

  add(collection: Collection, states: ReadonlyMap<string, T>): void {
    this.#states.set(collection, new Map([...(this.#states.get(collection) ?? []), ...states]));
  }

  take(collection: Collection, item: string): T | null {
    const states = this.#states.get(collection);
    const state = states?.get(item) ?? null;
    states?.delete(item);
    return state;
  }
}

/** Whether `record` is `ancestor` or nested in it. */
function isWithin(record: WriteRecord, ancestor: WriteRecord): boolean {
  for (let next: WriteRecord | null = record; next !== null; next = next.parent) if (next === ancestor) return true;
  return false;
}
