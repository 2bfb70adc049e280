// A row that a step writes, and its key in the form of answers.

import type { ItemKey } from '../../plan/write/item-key.js';
import type { ItemNumber } from '../../plan/write/write-steps.js';
import { isPending, PendingKey } from '../../sql/pending-key.js';
import type { RowValues } from '../../sql/written.js';
import type { Key } from './work.js';

export interface RunRow {
  /** null for a new item without a key. */
  readonly key: ItemKey | null;
  readonly values: RowValues;
  /** Its number in the plan; absent for an item that only leaves a list. */
  readonly item?: ItemNumber;
}

/** An existing item that changes. */
export interface ChangedRow extends RunRow {
  readonly key: ItemKey;
}

/** A key of which parts may not be generated yet. */
export type ObservedKey = ObservedPart | readonly ObservedPart[];
export type ObservedPart = string | number | PendingKey;

/** The key for those who can wait for what is not generated yet. */
export function keyForObservers(key: ItemKey): ObservedKey {
  const parts = key.map((part): ObservedPart => {
    const known = part instanceof PendingKey ? part.current() : part;
    return known instanceof PendingKey ? known : wirePart(known);
  });
  return parts.length === 1 ? (parts[0] ?? '') : parts;
}

/** A key in the form answers carry: numbers and text. Throws for a key that the database has not generated yet. */
export function keyToWire(key: ItemKey): Key {
  const parts = key.map((part) => wirePart(part instanceof PendingKey ? part.current() : part));
  return parts.length === 1 ? (parts[0] ?? '') : parts;
}

function wirePart(part: unknown): string | number {
  if (isPending(part)) throw new Error('the key is not known yet');
  return typeof part === 'number' ? part : String(part);
}
