// Names of types in descriptions: each collection gets a name derived from its own, made unique if another one has it.

import type { Collection } from '../../core/schema/schema.js';

export function uniqueNames(
  collections: Iterable<Collection>,
  preferredName: (collection: Collection) => string,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const collection of collections) {
    const wanted = preferredName(collection);
    let free = wanted;
    for (let count = 2; taken.has(free); count += 1) free = `${wanted}${count}`;
    taken.add(free);
    names.set(collection.name, free);
  }
  return names;
}

/** book_reviews becomes BookReviews. */
export const pascalCase = (name: string): string =>
  name
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
