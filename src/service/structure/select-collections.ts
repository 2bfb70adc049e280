// A part of a snapshot: only some collections, or all but some.

import type { Snapshot } from './snapshot.js';

export function selectCollections(snapshot: Snapshot, included: readonly string[] | null, excluded: readonly string[] | null): Snapshot {
  const isMeant = ({ collection }: { readonly collection: string }): boolean =>
    (included === null || included.includes(collection)) && !(excluded ?? []).includes(collection);
  return {
    collections: snapshot.collections.filter(isMeant),
    fields: snapshot.fields.filter(isMeant),
    relations: snapshot.relations.filter(isMeant),
    views: snapshot.views.filter((collection) => isMeant({ collection })),
  };
}
