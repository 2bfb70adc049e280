// Partial snapshots: some collections, or all but some. The version of the document marks it as partial, and a diff against it ignores
// all other collections.

import { listOf } from '../../../core/schema/meta-row.js';
import type { RelationObject } from '../describe/describe-relation.js';
import { partialVersion, type Snapshot, wholeVersion } from './snapshot.js';

export interface SnapshotDocument extends Snapshot {
  readonly version: typeof wholeVersion | typeof partialVersion;
  readonly systemFields: readonly never[];
}

/** `included` and `excluded` are names of collections; if both are null, the document holds the whole structure. */
export function snapshotDocument(
  snapshot: Snapshot,
  included: readonly string[] | null = null,
  excluded: readonly string[] | null = null,
): SnapshotDocument {
  if (included === null && excluded === null) return { version: wholeVersion, ...snapshot, systemFields: [] };
  const isMeant = (name: string): boolean => (included === null || included.includes(name)) && excluded?.includes(name) !== true;
  return { version: partialVersion, ...selectCollections(snapshot, isMeant), systemFields: [] };
}

/** The part of `present` that a partial snapshot is compared with. */
export function partInQuestion(present: Snapshot, wanted: Snapshot): Snapshot {
  const names = new Set([...wanted.collections, ...wanted.fields].map(({ collection }) => collection));
  const part = selectCollections(present, (name) => names.has(name));
  const isNamed = (relation: RelationObject): boolean =>
    part.relations.includes(relation) ||
    wanted.relations.some(({ collection, field }) => collection === relation.collection && field === relation.field);
  return { ...part, relations: present.relations.filter(isNamed) };
}

/** Leaves out relations to collections outside of the part, since their targets may not exist where the part is applied. */
function selectCollections({ collections, fields, relations, views }: Snapshot, isMeant: (name: string) => boolean): Snapshot {
  const isOutside = (name: string): boolean => collections.some(({ collection }) => collection === name) && !isMeant(name);
  const targets = ({ related_collection, meta }: RelationObject): readonly string[] =>
    related_collection === null ? listOf(meta ?? {}, 'one_allowed_collections') : [related_collection];
  return {
    collections: collections.filter(({ collection }) => isMeant(collection)),
    fields: fields.filter(({ collection }) => isMeant(collection)),
    relations: relations.filter((relation) => isMeant(relation.collection) && !targets(relation).some(isOutside)),
    views: views.filter(isMeant),
  };
}
