// Primary keys: parses what a request sends into canonical parts in key order, and makes a text that identifies an item.

import type { Collection } from '../../schema/schema.js';
import { keyFields } from '../names/bind-keys.js';
import { coerceField } from './write-value.js';

/** The canonical values of the key fields, in key order. */
export type ItemKey = readonly unknown[];

/** Returns null when the value cannot be a key of this collection, in which case no such item exists. */
export function readKey(collection: Collection, raw: unknown): ItemKey | null {
  const parts = splitKey(raw, collection.primaryKey.length);
  return parts === null ? null : readKeyParts(collection, parts);
}

/** Does the same for the parts of a key, in key order. */
export function readKeyParts(collection: Collection, parts: readonly unknown[]): ItemKey | null {
  const fields = keyFields(collection);
  if (parts.length !== fields.length || !parts.every(isKeyPart)) return null;
  const values: unknown[] = [];
  for (const [index, field] of fields.entries()) {
    const result = coerceField(field, parts[index]);
    if (!result.ok || result.value === null) return null;
    values.push(result.value);
  }
  return values;
}

/** A composite key is sent as a list of its parts, or as text of percent-encoded parts joined by commas. */
function splitKey(raw: unknown, count: number): readonly unknown[] | null {
  if (Array.isArray(raw)) return count > 1 ? raw : null;
  if (!isKeyPart(raw)) return null;
  if (count === 1 || typeof raw !== 'string') return [raw];
  try {
    return raw.split(',').map(decodeURIComponent);
  } catch {
    return null;
  }
}

const isKeyPart = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

/** The key in a payload, or null if the payload does not contain all of it. */
export function keyOfPayload(collection: Collection, payload: Readonly<Record<string, unknown>>): readonly unknown[] | null {
  if (collection.primaryKey.length === 0) return null;
  const parts = collection.primaryKey.map((name) => (Object.hasOwn(payload, name) ? payload[name] : undefined));
  return parts.every((part) => part !== undefined && part !== null) ? parts : null;
}

/** A text that is equal for equal keys; values are compared by their text, since vendors return integers as numbers or bigints. */
export const keyText = (parts: readonly unknown[]): string => JSON.stringify(parts.map(String));

/**
 * Whether clients may choose the keys of this collection. Only then can an item with an unknown key be created. A default, such as a random
 * UUID, is for those who leave the key out; a counter is not, because a number that it has not reached is a mistake far more often than a choice.
 */
export const choosesOwnKey = (collection: Collection): boolean =>
  keyFields(collection).every(({ column }) => column.default?.kind !== 'counter' && !column.autoIncrement && !column.generated);
