// What a person may do with each collection, and the structure as the person sees it. Pure.

import type { Collection, Schema } from './model.js';

interface ActionAccess {
  readonly access: 'none' | 'partial' | 'full';
  readonly fields?: readonly string[];
}

export type Permissions = Readonly<Record<string, Readonly<Record<string, ActionAccess>>>>;

/** Collections that may be read, with the fields that may be read. */
export function schemaSeenBy(schema: Schema, permissions: Permissions): Schema {
  const seen = new Map<string, Collection>();
  for (const [name, collection] of schema) {
    const read = permissions[name]?.['read'];
    if (collection.isFolder) seen.set(name, collection);
    else if (read !== undefined && read.access !== 'none') seen.set(name, withFields(collection, read.fields ?? []));
  }
  // Removes empty folders, which would suggest hidden content.
  for (const [name, { isFolder }] of seen) if (isFolder && ![...seen.values()].some(({ group }) => group === name)) seen.delete(name);
  return seen;
}

function withFields(collection: Collection, names: readonly string[]): Collection {
  if (names.includes('*')) return collection;
  // Groups and notes hold no data: they stay as long as they frame something.
  const fields = collection.fields.filter(({ name, special }) => names.includes(name) || special.includes('no-data'));
  const key = fields.some(({ name }) => name === collection.key) ? collection.key : null;
  return { ...collection, key, fields, fieldsByName: new Map(fields.map((field) => [field.name, field])) };
}

/** The permissions while an administrator sees as this person: only reading. */
export const onlyReading = (permissions: Permissions): Permissions =>
  Object.fromEntries(Object.entries(permissions).map(([name, { read }]) => [name, { ...(read === undefined ? {} : { read }) }]));
