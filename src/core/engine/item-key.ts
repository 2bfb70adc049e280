// Keys of items as requests carry them: one path segment, or a value in a body. A key that cannot be one of this collection is as
// good as a missing item.

import { forbidden } from '../errors/service-error.js';
import { keyFields } from '../plan/bind-keys.js';
import { noFacts } from '../schema/coerced.js';
import type { Collection } from '../schema/schema.js';
import { coerceValue } from '../schema/values.js';

/** The parts of a key from a path segment as sent: still percent-encoded, composite parts joined by commas. */
export function parseKeySegment(collection: Collection, segment: string): readonly unknown[] {
  const parts = collection.primaryKey.length > 1 ? segment.split(',') : [segment];
  return checkKey(collection, parts.map(decode));
}

/** The parts of a key as a body carries it: a bare value, or a list of the parts of a composite key. */
export function parseKeyValue(collection: Collection, value: unknown): readonly unknown[] {
  if (collection.primaryKey.length > 1 && Array.isArray(value)) return checkKey(collection, value);
  if (collection.primaryKey.length > 1 && typeof value === 'string') return parseKeySegment(collection, value);
  return checkKey(collection, [value]);
}

function checkKey(collection: Collection, parts: readonly unknown[]): readonly unknown[] {
  const fields = keyFields(collection);
  if (fields.length === 0 || parts.length !== fields.length) throw forbidden();
  const fits = fields.every((field, index) => {
    const part = parts[index];
    return (typeof part === 'string' || typeof part === 'number') && coerceValue(field.type, part, noFacts, 'operand').ok;
  });
  if (!fits) throw forbidden();
  return parts;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw forbidden();
  }
}
