// The items of a write as extensions see them: plain objects in the form of answers. What a `before` makes of them becomes values to write again.

import type { ObservedKey, ObservedPart } from '../../core/engine/work/run-row.js';
import type { Key } from '../../core/engine/work/work.js';
import type { WrittenItem } from '../../core/engine/write/hooks.js';
import { ServiceError } from '../../core/errors/service-error.js';
import { coerceField } from '../../core/plan/write/write-value.js';
import type { Collection, ColumnField } from '../../core/schema/schema.js';
import type { PlainObject } from '../../core/util/plain-object.js';
import { knownValues, settledPart, settledText } from '../automation/events/written-values.js';
import { storedValues } from '../history/revisions/stored-values.js';
import type { EventItem } from './extension.js';

type Values = ReadonlyMap<string, unknown>;

/** Those that are known before the write: keys of items that are written with it are not. Concealed ones are stars. */
export function shownValues(collection: Collection, values: Values): Record<string, unknown> {
  return JSON.parse(settledText(storedValues(collection, knownValues(values)))) as Record<string, unknown>;
}

/** Call when the keys of the write have been generated. */
export const settledItem = (collection: Collection, { key, values }: WrittenItem<ObservedKey>): EventItem => ({
  key: key === null ? null : settledKey(key),
  values: JSON.parse(settledText(storedValues(collection, values))) as Record<string, unknown>,
});

const settledKey = (key: ObservedKey): Key => (Array.isArray(key) ? key.map(settledPart) : settledPart(key as ObservedPart));

/**
 * The values to write: those that the extension left as they were stay what they are. It may set every column but the key; what it sets is its
 * own word, which the caller need not be allowed to say. `refuse`: makes the error for what cannot be set.
 */
export function changedValues(
  collection: Collection,
  values: Values,
  { shown, made }: { readonly shown: PlainObject; readonly made: PlainObject },
  refuse: (what: string) => Error,
): Values {
  const changed = new Map(values);
  for (const name of Object.keys(shown)) if (made[name] === undefined) changed.delete(name);
  for (const [name, value] of Object.entries(made)) {
    if (value === undefined || isSame(shown[name], value)) continue;
    changed.set(name, coerced(settableField(collection, name, refuse), value));
  }
  return changed;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function settableField(collection: Collection, name: string, refuse: (what: string) => Error): ColumnField {
  const field = collection.fields.get(name);
  if (field?.kind !== 'column') throw refuse(`sets "${name}", which is no column of ${collection.name}`);
  if (collection.primaryKey.includes(name)) throw refuse(`sets "${name}", the key of ${collection.name}`);
  return field;
}

function coerced(field: ColumnField, value: unknown): unknown {
  if (value === null) return null;
  const result = coerceField(field, value);
  if (!result.ok) throw new ServiceError([result.entry]);
  return result.value;
}
