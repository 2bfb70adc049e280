// Structure as it is sent: names of system collections may be those of either wire, and become those of the one that the database is on.

import { isPlainObject } from '../../../core/util/plain-object.js';
import type { Payload } from './payload.js';

type NameOf = (name: string) => string;

/** The keys whose values are names of collections, or lists of them, in a collection, field or relation and in its parts. */
const named: ReadonlySet<string> = new Set([
  'collection',
  'group',
  'related_collection',
  'many_collection',
  'one_collection',
  'one_allowed_collections',
  'table',
  'foreign_key_table',
]);

/** A value of another kind is returned unchanged, for the planners to refuse. */
export function fromWire(payload: unknown, nameOf: NameOf): unknown {
  if (!isPlainObject(payload)) return payload;
  return Object.fromEntries(Object.entries(payload).map(([key, value]) => [key, read(key, value, nameOf)]));
}

function read(key: string, value: unknown, nameOf: NameOf): unknown {
  if (key === 'meta' || key === 'schema') return isPlainObject(value) ? renamed(value, nameOf) : value;
  if (key === 'fields' && Array.isArray(value)) return value.map((field) => fromWire(field, nameOf));
  return named.has(key) ? names(value, nameOf) : value;
}

const renamed = (part: Payload, nameOf: NameOf): Payload =>
  Object.fromEntries(Object.entries(part).map(([key, value]) => [key, named.has(key) ? names(value, nameOf) : value]));

function names(value: unknown, nameOf: NameOf): unknown {
  if (typeof value === 'string') return nameOf(value);
  return Array.isArray(value) ? value.map((entry) => (typeof entry === 'string' ? nameOf(entry) : entry)) : value;
}
