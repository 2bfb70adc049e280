// The key of an item as texts name it: activity, revisions, versions, shares and comments point at items of any collection.

import type { Key } from '../../core/engine/work.js';
import { LateValue } from '../../core/sql/late-value.js';

/** As wide as the column; a longer key is cut, since history must not refuse what the database took. */
const widest = 255;

export function itemText(key: Key): string {
  const text = Array.isArray(key) ? key.map((part) => encodeURIComponent(String(part))).join(',') : String(key);
  return text.slice(0, widest);
}

/** The same of an item that may still be on its way. */
export const lateItemText = (key: Key | LateValue): string | LateValue => (key instanceof LateValue ? key : itemText(key));
