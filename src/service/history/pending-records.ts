// What a transaction has written so far and history has not. One item written in several steps of one write is one record.

import type { ObservedEvent, WriteAction } from '../../core/engine/hooks.js';
import type { Key } from '../../core/engine/work.js';
import type { Collection } from '../../core/schema/schema.js';
import type { LateValue } from '../../core/sql/late-value.js';
import type { ActivityNumber } from './history-rows.js';
import { lateItemText } from './item-text.js';

export interface WriteRecord {
  readonly collection: Collection;
  readonly action: WriteAction;
  readonly key: Key | LateValue;
  /** Everything the write set. */
  values: ReadonlyMap<string, unknown>;
  /** The record of the item whose payload this one stood in; known when the whole write is. */
  parent: WriteRecord | null;
  /** Of its activity, once that is on its way. */
  number: ActivityNumber | null;
}

interface Placed {
  readonly record: WriteRecord;
  readonly parent: number | null;
}

export class PendingRecords {
  #write: object | null = null;
  #records: WriteRecord[] = [];
  #byItem = new Map<Collection, Map<string | LateValue, WriteRecord>>();
  #byNumber = new Map<number, Placed>();

  get size(): number {
    return this.#records.length;
  }

  /** Whether this event begins another write than the one before. */
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

  /** All records, in the order of writing; nothing is pending afterwards. */
  take(): readonly WriteRecord[] {
    this.#begin(null);
    const records = this.#records;
    this.#records = [];
    return records;
  }

  #begin(write: object | null): void {
    for (const { record, parent } of this.#byNumber.values()) {
      if (parent !== null) record.parent = this.#byNumber.get(parent)?.record ?? null;
    }
    this.#write = write;
    this.#byItem = new Map();
    this.#byNumber = new Map();
  }

  /** A change after a creation belongs to the creation. */
  #record(collection: Collection, action: WriteAction, key: Key | LateValue, values: WriteRecord['values']): WriteRecord {
    const ofCollection = this.#byItem.get(collection) ?? new Map<string | LateValue, WriteRecord>();
    this.#byItem.set(collection, ofCollection);
    const known = ofCollection.get(lateItemText(key));
    if (known !== undefined && (known.action === 'delete') === (action === 'delete')) {
      known.values = known.values.size === 0 ? values : new Map([...known.values, ...values]);
      return known;
    }
    const record: WriteRecord = { collection, action, key, values, parent: null, number: null };
    ofCollection.set(lateItemText(key), record);
    this.#records.push(record);
    return record;
  }
}
