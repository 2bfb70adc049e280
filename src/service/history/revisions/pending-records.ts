// The writes of a transaction that are not recorded yet. Several steps of one write on the same item make one record.

import type { Key } from '../../../core/engine/work/work.js';
import type { ObservedEvent, WriteAction } from '../../../core/engine/write/hooks.js';
import type { Collection } from '../../../core/schema/schema.js';
import type { PendingKey } from '../../../core/sql/pending-key.js';
import { pendingItemText } from '../subjects/item-text.js';
import type { ActivityNumber } from './history-rows.js';

export interface WriteRecord {
  readonly collection: Collection;
  readonly action: WriteAction;
  readonly key: Key | PendingKey;
  /** All values that the write has set. */
  values: ReadonlyMap<string, unknown>;
  /** The JSON text of the item before its deletion; null for other actions and where revisions are off. */
  readonly deletedText: string | null;
  /** The digest of the item before its update; null for other actions and where revisions are off. */
  readonly before: string | null;
  /** The record of the item whose payload contained this one; set when the whole write has been observed. */
  parent: WriteRecord | null;
  /** The key of its activity, once that insert is queued. */
  number: ActivityNumber | null;
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
  /** What items are before a write, by key text: their JSON texts for a deletion, digests for an update. */
  readonly #kept = { delete: new Kept(), update: new Kept() };

  /** Keeps what the items are, by key text, until their deletion or update is observed. */
  keep(action: 'delete' | 'update', collection: Collection, states: ReadonlyMap<string, string>): void {
    this.#kept[action].add(collection, states);
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
  #record(collection: Collection, action: WriteAction, key: Key | PendingKey, values: WriteRecord['values']): WriteRecord {
    const ofCollection = this.#byItem.get(collection) ?? new Map<string | PendingKey, WriteRecord>();
    this.#byItem.set(collection, ofCollection);
    const text = pendingItemText(key);
    const before = action !== 'create' && typeof text === 'string' ? this.#kept[action].take(collection, text) : null;
    const known = ofCollection.get(text);
    if (known !== undefined && (known.action === 'delete') === (action === 'delete')) {
      known.values = known.values.size === 0 ? values : new Map([...known.values, ...values]);
      return known;
    }
    const states = action === 'delete' ? { deletedText: before, before: null } : { deletedText: null, before };
    const record: WriteRecord = { collection, action, key, values, ...states, parent: null, number: null };
    ofCollection.set(text, record);
    this.#records.push(record);
    return record;
  }
}

class Kept {
  readonly #states = new Map<Collection, Map<string, string>>();

  add(collection: Collection, states: ReadonlyMap<string, string>): void {
    this.#states.set(collection, new Map([...(this.#states.get(collection) ?? []), ...states]));
  }

  take(collection: Collection, item: string): string | null {
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
