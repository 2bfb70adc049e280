// The key of an item as text. Activity, revisions, versions, shares and comments store it beside the name of the collection, since they
// point to items of any collection.

import type { ObservedKey, ObservedPart } from '../../../core/engine/work/run-row.js';
import type { Key } from '../../../core/engine/work/work.js';
import { type Pending, PendingKey, PendingText } from '../../../core/sql/pending-key.js';

/** The width of the column. A longer key is cut: history must not refuse an item that the database accepted. */
const maxLength = 255;

export function itemText(key: Key): string {
  const text = Array.isArray(key) ? key.map((part) => encodeURIComponent(String(part))).join(',') : String(key);
  return text.slice(0, maxLength);
}

/** The most digits that a generated number has, with its sign. */
const numberLength = 20;

/** The same for a key of which the database may not have generated every part yet. */
export function pendingItemText(key: ObservedKey): string | Pending {
  if (key instanceof PendingKey) return key;
  if (typeof key !== 'object') return itemText(key);
  if (isComplete(key)) return itemText(key);
  let room = maxLength - numberLength * key.filter((part) => part instanceof PendingKey).length;
  const cut = (text: string): string => {
    const kept = text.slice(0, room);
    room -= kept.length;
    return kept;
  };
  return new PendingText(
    key.flatMap((part, index): readonly (string | PendingKey)[] => {
      const comma = index === 0 ? '' : ',';
      return part instanceof PendingKey ? [cut(comma), part] : [cut(comma + encodeURIComponent(String(part)))];
    }),
  );
}

const isComplete = (parts: readonly ObservedPart[]): parts is readonly (string | number)[] =>
  !parts.some((part) => part instanceof PendingKey);

/** null: the key is not generated yet. */
export function knownItemText(key: ObservedKey): string | null {
  const text = pendingItemText(key);
  return typeof text === 'string' ? text : null;
}

/** Equal for the same item of a transaction, whether its key is generated or not. */
export const itemIdentity = (text: string | Pending): string | PendingKey =>
  text instanceof PendingText
    ? text.template(
        (piece) => piece,
        (place) => `\0${text.keys[place]?.name}`,
      )
    : text;
