// Keys of items, of one field or of several. A key of several is a text: its parts in their order, percent-encoded and joined by commas, as
// paths, history, comments and bodies of requests have it. Pure.

import type { Collection } from './model.js';

type Item = Readonly<Record<string, unknown>>;
type Keyed = Pick<Collection, 'keys'>;

/** The key as text; null for an item without one, or of which a part was not read. */
export function keyText({ keys }: Keyed, item: Item): string | null {
  const parts = keys.map((name) => item[name]);
  if (parts.length === 0 || parts.some((part) => part === null || part === undefined)) return null;
  return parts.length === 1 ? String(parts[0]) : parts.map((part) => encodeURIComponent(String(part))).join(',');
}

/** The key as the body of a request has it. */
export const keyValue = (collection: Keyed, item: Item): unknown =>
  collection.keys.length === 1 ? item[collection.keys[0] ?? ''] : keyText(collection, item);

/** The key fields with their values, of a key as `keyValue` gives it. */
export function keyFields({ keys }: Keyed, key: unknown): Item {
  if (keys.length === 1) return { [keys[0] ?? '']: key };
  const parts = String(key).split(',').map(decodeURIComponent);
  return Object.fromEntries(keys.map((name, index) => [name, parts[index]]));
}

/** The last segment of the path of an item. A key of several fields is encoded already. */
export const keySegment = ({ keys }: Keyed, key: string): string => (keys.length > 1 ? key : encodeURIComponent(key));

/** The key that such a segment names. */
export const keyOfSegment = ({ keys }: Keyed, segment: string): string => (keys.length > 1 ? segment : decodeURIComponent(segment));

/** A key in an address of Studio. It holds no percent sign of its own, because the router decodes an address whenever it goes on from there. */
export const addressKey = (key: string): string => encodeURIComponent(key.replaceAll('~', '~7E').replaceAll('%', '~25'));

export const keyOfAddress = (segment: string): string => decodeURIComponent(segment).replaceAll('~25', '%').replaceAll('~7E', '~');
