// What a person may do with each collection, and the structure as the person sees it. Pure.

import { type Collection, ofSystem, type Schema, type SystemName } from './model.js';

export type Action = 'create' | 'read' | 'update' | 'delete' | 'share';

interface ActionAccess {
  readonly access: 'none' | 'partial' | 'full';
  readonly fields?: readonly string[];
  /** What new or changed items get unless something else is sent. */
  readonly presets?: Readonly<Record<string, unknown>>;
}

export type Permissions = Readonly<Record<string, Readonly<Record<string, ActionAccess>>>>;

/** What rights are asked of: a collection, or a system collection by its name. */
export type Subject = SystemName | { readonly name: string; readonly readOnly?: string | null };

/** Whether something may be done with items of a collection at all; which items is the server's decision. */
export const may = (permissions: Permissions, subject: Subject, action: Action): boolean =>
  accessTo(permissions, subject, action) !== undefined;

/** Whether it may be done with every item. */
export const mayAll = (permissions: Permissions, subject: Subject, action: Action): boolean =>
  accessTo(permissions, subject, action)?.access === 'full';

/** Returns a function that tells whether it may be done with a field of some item. */
export function fieldsFor(permissions: Permissions, subject: Subject, action: Action): (field: string) => boolean {
  const access = accessTo(permissions, subject, action);
  const fields = new Set(access === undefined ? [] : (access.fields ?? ['*']));
  return (field) => fields.has('*') || fields.has(field);
}

/** Undefined: none. */
function accessTo(permissions: Permissions, subject: Subject, action: Action): ActionAccess | undefined {
  if (typeof subject !== 'string' && (subject.readOnly ?? null) !== null && action !== 'read') return undefined;
  const actions = typeof subject === 'string' ? ofSystem(subject, (stored) => permissions[stored]) : permissions[subject.name];
  const access = actions?.[action];
  return access?.access === 'none' ? undefined : access;
}

/** Collections that may be read, with the fields that may be read. */
export function schemaSeenBy(schema: Schema, permissions: Permissions): Schema {
  const seen = new Map<string, Collection>();
  for (const [name, collection] of schema) {
    if (collection.isFolder) seen.set(name, collection);
    else if (may(permissions, collection, 'read')) seen.set(name, withFields(collection, fieldsFor(permissions, collection, 'read')));
  }
  // Removes empty folders, which would suggest hidden content.
  for (const [name, { isFolder }] of seen) if (isFolder && ![...seen.values()].some(({ group }) => group === name)) seen.delete(name);
  return seen;
}

function withFields(collection: Collection, mayRead: (field: string) => boolean): Collection {
  if (collection.fields.every(({ name }) => mayRead(name))) return collection;
  // Groups and notes hold no data: they stay as long as they frame something.
  const fields = collection.fields.filter(({ name, special }) => mayRead(name) || special.includes('no-data'));
  const isWhole = collection.keys.every((key) => fields.some(({ name }) => name === key));
  const [keys, key] = isWhole ? [collection.keys, collection.key] : [[], null];
  return { ...collection, keys, key, fields, fieldsByName: new Map(fields.map((field) => [field.name, field])) };
}

/** The permissions while an administrator sees as this person: only reading. */
export const onlyReading = (permissions: Permissions): Permissions =>
  Object.fromEntries(Object.entries(permissions).map(([name, { read }]) => [name, { ...(read === undefined ? {} : { read }) }]));
