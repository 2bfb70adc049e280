// The form in which Directus stores the changes of a version: the author and the time of the last save are members of the delta and of
// every object in it, and the hash of the item is computed in another way.

import { isPlainObject } from '../../../core/util/plain-object.js';

type Delta = Readonly<Record<string, unknown>>;

const marks = new Set(['_user', '_date']);

/** The changes alone, and who saved them. */
export function readAdoptedDelta(stored: Delta): { readonly delta: Delta; readonly author: string | null } {
  const { _user: author } = stored;
  return { delta: withoutMarks(stored) as Delta, author: typeof author === 'string' ? author : null };
}

function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, entry]) => (marks.has(name) ? [] : [[name, withoutMarks(entry)]])));
}

export const writeAdoptedDelta = (delta: Delta, stamp: { readonly date_updated: string; readonly user_updated: string }): Delta => ({
  ...delta,
  _user: stamp.user_updated,
  _date: stamp.date_updated,
});

/** Digests of the service are longer. A hash of Directus cannot show whether the item has changed since. */
export const isAdoptedHash = (hash: string | null): boolean => hash !== null && /^[0-9a-f]{40}$/.test(hash);
