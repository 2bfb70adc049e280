// The value of a field that refers to one item, as an entry: whether it was read with the item, picked, or staged.

import type { Item } from '../../draft/draft.js';
import { isStagedEntry, type StagedEntry } from '../../draft/staged.js';
import { plainText } from '../../schema/templates.js';

export const newReference: StagedEntry = { $staged: 'entry', id: 'one', row: null, key: null, shown: {}, edits: {} };

export function referenceOf(value: unknown, relatedKey: string): StagedEntry | null {
  if (value === null || value === undefined) return null;
  if (isStagedEntry(value)) return value;
  if (isItem(value)) return { ...newReference, key: value[relatedKey] ?? null, shown: value };
  return { ...newReference, key: value, shown: { [relatedKey]: value } };
}

/** The value for a changed entry. Without edits it is only a reference: as stored when it is the stored one, else the picked item. */
export function settled(entry: StagedEntry, stored: unknown, relatedKey: string): unknown {
  if (entry.key === null || Object.keys(entry.edits).length > 0) return entry;
  return isItem(stored) && plainText(stored[relatedKey]) === plainText(entry.key) ? stored : entry.shown;
}

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null;
