// Whether a stored filter speaks of a field, directly or through relations.

import type { Schema } from '../../core/schema/schema.js';
import { isObject } from './payload.js';

/** `at`: the collection the filter is about; null where a path led to something unknown. */
export function mentionsField(filter: unknown, at: string | null, collection: string, field: string, schema: Schema): boolean {
  if (Array.isArray(filter)) return filter.some((entry) => mentionsField(entry, at, collection, field, schema));
  if (!isObject(filter)) return false;
  return Object.entries(filter).some(([key, value]) => {
    if (key.startsWith('_')) return mentionsField(value, at, collection, field, schema);
    const name = fieldIn(key);
    return (at === collection && name === field) || mentionsField(value, nextCollection(schema, at, key), collection, field, schema);
  });
}

/** `year(published)` and `item:books` speak of `published` and `item`. */
const fieldIn = (key: string): string => /\(([^,)]+)/.exec(key)?.[1]?.trim() ?? key.split(':')[0] ?? key;

function nextCollection(schema: Schema, at: string | null, key: string): string | null {
  const [name = key, scope] = key.split(':');
  if (scope !== undefined) return scope;
  const found = at === null ? undefined : schema.collections.get(at)?.fields.get(name);
  if (found?.kind === 'relation') return found.relation.related;
  return found?.kind === 'column' && found.relation?.kind === 'm2o' ? found.relation.related : null;
}
