// The key of an item as text. Activity, revisions, versions, shares and comments store it beside the name of the collection, since they
// point to items of any collection.

import type { Key } from '../../../core/engine/work/work.js';
import { PendingKey } from '../../../core/sql/pending-key.js';

/** The width of the column. A longer key is cut: history must not refuse an item that the database accepted. */
const maxLength = 255;

export function itemText(key: Key): string {
  const text = Array.isArray(key) ? key.map((part) => encodeURIComponent(String(part))).join(',') : String(key);
  return text.slice(0, maxLength);
}

/** The same for a key that the database may not have generated yet. */
export const pendingItemText = (key: Key | PendingKey): string | PendingKey => (key instanceof PendingKey ? key : itemText(key));
