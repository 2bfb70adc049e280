// Keys of items as requests carry them: one path segment, or a value in a body. A text that cannot be a key of the collection is answered
// like the key of a missing item.

import { forbidden } from '../../errors/service-error.js';
import { keyFields } from '../../plan/names/bind-keys.js';
import type { Collection } from '../../schema/schema.js';
import { coerceValue } from '../../schema/types/coerce-value.js';
import { operandFacts } from '../../schema/types/coerced.js';

/** The parts of a key from a path segment: percent-encoded, the parts of a composite key joined by commas. */
export const parseKeySegment = (collection: Collection, segment: string): readonly unknown[] =>
  keyOrForbidden(readSegment(collection, segment));

/** The parts of a key from a body: a value, or a list of the parts of a composite key. */
export const parseKeyValue = (collection: Collection, value: unknown): readonly unknown[] =>
  keyOrForbidden(readKeyValue(collection, value));

/** null for a value that cannot be a key. */
export function readKeyValue(collection: Collection, value: unknown): readonly unknown[] | null {
  if (collection.primaryKey.length > 1 && Array.isArray(value)) return fittingKey(collection, value);
  if (collection.primaryKey.length > 1 && typeof value === 'string') return readSegment(collection, value);
  return fittingKey(collection, [value]);
}

function keyOrForbidden(key: readonly unknown[] | null): readonly unknown[] {
  if (key === null) throw forbidden();
  return key;
}

function readSegment(collection: Collection, segment: string): readonly unknown[] | null {
  const parts = collection.primaryKey.length > 1 ? segment.split(',') : [segment];
  return fittingKey(collection, parts.map(decode));
}

function fittingKey(collection: Collection, parts: readonly unknown[]): readonly unknown[] | null {
  const fields = keyFields(collection);
  if (fields.length === 0 || parts.length !== fields.length) return null;
  const fits = fields.every((field, index) => {
    const part = parts[index];
    return (
      (typeof part === 'string' || typeof part === 'number') && coerceValue(field.type, part, operandFacts(field.column), 'operand').ok
    );
  });
  return fits ? parts : null;
}

/** null, which fits no key, for text that is not percent-encoded correctly. */
function decode(text: string): string | null {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
