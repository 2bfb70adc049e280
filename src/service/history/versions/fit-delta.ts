// The part of a version's changes that the present structure has a place for. Fields, relations and collections may be deleted after a
// version was saved; the version then reads, compares and promotes without the changes that named them, and lists these.

import type { Collection, Field, Schema } from '../../../core/schema/schema.js';
import { isPlainObject } from '../../../core/util/plain-object.js';

type Delta = Readonly<Record<string, unknown>>;

/** A change whose field is gone: the collection that had it, and the path to it within the delta. */
export interface LostChange {
  readonly collection: string;
  readonly path: string;
}

export interface FittedDelta {
  readonly delta: Delta;
  readonly lost: readonly LostChange[];
}

export function fitDelta(schema: Schema, collection: Collection, stored: Delta): FittedDelta {
  const lost: LostChange[] = [];
  const delta = fitItem({ schema, lost }, collection, stored, []) ?? {};
  // A change may be lost in many items of a list.
  const once = new Map(lost.map((change) => [`${change.collection} ${change.path}`, change]));
  return { delta, lost: [...once.values()] };
}

interface Fitting {
  readonly schema: Schema;
  readonly lost: LostChange[];
}

/** Returns null if nothing is left of an item that had something: an empty one must not be created in its place. */
function fitItem(fitting: Fitting, collection: Collection, item: Delta, path: readonly string[]): Delta | null {
  const names = Object.keys(item);
  const kept = names.flatMap((name) => {
    const fitted = fitValue(fitting, collection, name, item, [...path, name]);
    if (fitted === gone) fitting.lost.push({ collection: collection.name, path: [...path, name].join('.') });
    return fitted === gone || fitted === emptied ? [] : [[name, fitted] as const];
  });
  return kept.length === 0 && names.length > 0 ? null : Object.fromEntries(kept);
}

/** Stands for a value whose field no longer exists. */
const gone = Symbol('gone');
/** Stands for a value of which nothing is left; its parts are listed among the lost changes. */
const emptied = Symbol('emptied');

function fitValue(fitting: Fitting, collection: Collection, name: string, item: Delta, path: readonly string[]): unknown {
  const field = collection.fields.get(name);
  const value = item[name];
  if (field === undefined) return gone;
  if (field.kind === 'presentation') return value === null ? value : gone;
  const related = relatedTo(fitting.schema, field, item);
  if (related === undefined) return value;
  if (field.kind === 'relation') return fitList(fitting, related, value, path);
  return isPlainObject(value) ? (fitItem(fitting, related, value, path) ?? emptied) : value;
}

/** The collection that the value of the field leads to, if there is one. */
function relatedTo(schema: Schema, field: Exclude<Field, { kind: 'presentation' }>, item: Delta): Collection | undefined {
  const { relation } = field;
  if (relation === null) return undefined;
  const name = relation.kind === 'm2a' ? item[relation.collectionField] : relation.related;
  return typeof name === 'string' ? schema.collections.get(name) : undefined;
}

/** Either form of a to-many change: the complete list, or what is created, updated and removed. */
function fitList(fitting: Fitting, related: Collection, value: unknown, path: readonly string[]): unknown {
  const entries = (list: readonly unknown[]): readonly unknown[] => list.flatMap((entry) => fitEntry(fitting, related, entry, path));
  if (Array.isArray(value)) return entries(value);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, name !== 'delete' && Array.isArray(part) ? entries(part) : part]),
  );
}

function fitEntry(fitting: Fitting, related: Collection, entry: unknown, path: readonly string[]): readonly unknown[] {
  if (!isPlainObject(entry)) return [entry];
  const away = [...related.fields.values()].find((field) => leadsNowhere(fitting.schema, field, entry));
  if (away !== undefined) fitting.lost.push({ collection: related.name, path: [...path, away.name].join('.') });
  const fitted = away === undefined ? fitItem(fitting, related, entry, path) : null;
  return fitted === null ? [] : [fitted];
}

/** Whether the entry of a many-to-any names a collection that no longer exists or is no longer allowed. */
function leadsNowhere(schema: Schema, field: Field, entry: Delta): boolean {
  if (field.kind !== 'column' || field.relation?.kind !== 'm2a') return false;
  const name = entry[field.relation.collectionField];
  return typeof name === 'string' && !(field.relation.allowed.includes(name) && schema.collections.has(name));
}
