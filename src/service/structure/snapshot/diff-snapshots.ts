// The difference between this database's snapshot and another one: objects to create (N), delete (D) or edit (E), and the digest that
// identifies the structure a diff was made against.

import { createHash } from 'node:crypto';
import type { CollectionObject } from '../describe/describe-collection.js';
import type { FieldObject } from '../describe/describe-field.js';
import type { RelationObject } from '../describe/describe-relation.js';
import { compareCollections, compareFields, compareRelations, type Difference } from './compare-structure.js';
import type { Snapshot } from './snapshot.js';

export type DiffEntry =
  | { readonly kind: 'N'; readonly rhs: unknown }
  | { readonly kind: 'D'; readonly lhs: unknown }
  | ({ readonly kind: 'E' } & Difference);

export interface SnapshotDiff {
  readonly collections: readonly { readonly collection: string; readonly diff: readonly DiffEntry[] }[];
  readonly fields: readonly { readonly collection: string; readonly field: string; readonly diff: readonly DiffEntry[] }[];
  readonly systemFields: readonly never[];
  readonly relations: readonly {
    readonly collection: string;
    readonly field: string;
    readonly related_collection: string | null;
    readonly diff: readonly DiffEntry[];
  }[];
}

/** mirror: objects that the snapshot lacks are deleted; merge: they are kept. */
export const diffModes = ['mirror', 'merge'] as const;
export type DiffMode = (typeof diffModes)[number];

export function diffSnapshots(present: Snapshot, wanted: Snapshot, mode: DiffMode): SnapshotDiff {
  const dropped = new Set(mode === 'mirror' ? missing(present.collections, wanted.collections, collectionKey) : []);
  const fieldKeys = { key: fieldKey, compare: compareFields };
  return {
    collections: pair(present.collections, wanted.collections, mode, { key: collectionKey, compare: compareCollections }).map(
      ({ object, diff }) => ({
        collection: object.collection,
        diff,
      }),
    ),
    fields: pair(present.fields, wanted.fields, mode, fieldKeys)
      .filter(({ object, diff }) => !(isGone(diff) && dropped.has(object.collection)))
      .map(({ object: { collection, field }, diff }) => ({ collection, field, diff })),
    systemFields: [],
    relations: pair(present.relations, wanted.relations, mode, { key: fieldKey, compare: compareRelations }).map(({ object, diff }) => ({
      collection: object.collection,
      field: object.field,
      related_collection: object.related_collection,
      diff,
    })),
  };
}

const collectionKey = ({ collection }: CollectionObject): string => collection;
const fieldKey = ({ collection, field }: FieldObject | RelationObject): string => JSON.stringify([collection, field]);
const isGone = (diff: readonly DiffEntry[]): boolean => diff[0]?.kind === 'D';

function missing<T>(present: readonly T[], wanted: readonly T[], key: (object: T) => string): readonly string[] {
  const kept = new Set(wanted.map(key));
  return present.map(key).filter((name) => !kept.has(name));
}

interface Pairing<T> {
  readonly key: (object: T) => string;
  readonly compare: (present: T, wanted: T) => readonly Difference[];
}

function pair<T>(
  present: readonly T[],
  wanted: readonly T[],
  mode: DiffMode,
  { key, compare }: Pairing<T>,
): readonly { readonly object: T; readonly diff: readonly DiffEntry[] }[] {
  const byKey = new Map(present.map((object) => [key(object), object]));
  const gone = mode === 'merge' ? [] : missing(present, wanted, key);
  const changed = wanted.map((object) => {
    const found = byKey.get(key(object));
    const diff: readonly DiffEntry[] =
      found === undefined ? [{ kind: 'N', rhs: object }] : compare(found, object).map((difference) => ({ kind: 'E', ...difference }));
    return { object, diff };
  });
  const dropped = gone.flatMap((name) => byKey.get(name) ?? []).map((object) => ({ object, diff: [{ kind: 'D', lhs: object }] as const }));
  return [...changed, ...dropped].filter(({ diff }) => diff.length > 0);
}

export const isEmptyDiff = ({ collections, fields, relations }: SnapshotDiff): boolean =>
  collections.length === 0 && fields.length === 0 && relations.length === 0;

export const digestSnapshot = ({ collections, fields, relations }: Snapshot): string =>
  createHash('sha256')
    .update(JSON.stringify([collections, fields, relations]))
    .digest('hex');
