// The schema as a caller sees it. Every name of a request is looked up here and nowhere else, so an unknown name and a forbidden name fail
// on the same line with the same error.
//
// Permissions act at two levels. `findField` answers whether the caller may use a field on any item at all; a name that fails it is
// refused. `rowRules` and `fieldRules` give the filters that decide per item; core/plan/names/bind-rules.ts turns them into conditions of
// the statement.

import { forbiddenCollection, forbiddenField } from '../errors/service-error.js';
import type { Collection, Field, ReferenceField, Schema } from '../schema/schema.js';
import type { Accountability } from './accountability.js';
import { type Action, allGrants, type Grant, type Grants, type Rule } from './permission.js';

export interface SchemaView {
  readonly schema: Schema;
  readonly grants: Grants;
  /** The identity in plan caches: equal keys mean equal views. */
  readonly key: string;
}

export interface Caller {
  readonly accountability: Accountability;
  readonly view: SchemaView;
}

/** The items a permission covers: all, or those for which at least one rule holds. */
export type RowRules = readonly Rule[] | 'all';

export const makeView = (schema: Schema, grants: Grants): SchemaView => ({ schema, grants, key: `${schema.version}:${grants.key}` });

/** The caller for internal work: sees the whole schema, without rules. Use it explicitly wherever the service acts on its own behalf. */
export function serviceCaller(schema: Schema): Caller {
  return {
    view: makeView(schema, allGrants),
    accountability: {
      user: null,
      role: null,
      roles: [],
      policies: [],
      admin: true,
      app: true,
      session: null,
      share: null,
      viewer: null,
      accessKey: null,
      ip: null,
      userAgent: null,
      origin: null,
    },
  };
}

export function grantOf(view: SchemaView, collection: string, action: Action): Grant | 'all' | null {
  if (view.grants.admin) return 'all';
  const { byCollection } = view.grants;
  return (byCollection.get(collection) ?? byCollection.get(view.schema.nameOf(collection)))?.[action] ?? null;
}

/** The collection, if the caller may perform `action` on at least some of its items. */
export function findCollection(view: SchemaView, name: string, action: Action): Collection | null {
  const collection = view.schema.collections.get(name);
  if (!collection || collection.table === null || grantOf(view, collection.name, action) === null) return null;
  return collection;
}

export function lookUpCollection(view: SchemaView, name: string, action: Action): Collection {
  const collection = findCollection(view, name, action);
  if (!collection) throw forbiddenCollection(name);
  return collection;
}

export function findField(view: SchemaView, collection: Collection, name: string, action: Action): Field | null {
  const field = collection.fields.get(name);
  const grant = grantOf(view, collection.name, action);
  if (!field || grant === null) return null;
  if (grant === 'all' || (field.kind === 'reference' ? grantsReference(grant, collection, field, action) : listsAnywhere(grant, name)))
    return field;
  return null;
}

const listsAnywhere = (grant: Grant, name: string): boolean => grant.some((permission) => lists(permission.fields, name));

/**
 * A reference over several columns requires permission for each of them. In an update the key columns are exempt: they identify the item
 * and need not be writable.
 */
const grantsReference = (grant: Grant, { primaryKey }: Collection, { relation }: ReferenceField, action: Action): boolean =>
  relation.pairs.every(({ column }) => (action === 'update' && primaryKey.includes(column)) || listsAnywhere(grant, column));

export function lookUpField(view: SchemaView, collection: Collection, name: string, action: Action): Field {
  const field = findField(view, collection, name, action);
  if (!field) throw forbiddenField(name, collection.name);
  return field;
}

/** All fields that the caller may use on at least some items, in the order of the collection. */
export function visibleFields(view: SchemaView, collection: Collection, action: Action): readonly Field[] {
  return [...collection.fields.values()].filter((field) => findField(view, collection, field.name, action) !== null);
}

/** The items the caller may act on: the union of the rules of all policies. */
export function rowRules(view: SchemaView, collection: string, action: Action): RowRules {
  const grant = grantOf(view, collection, action);
  if (grant === 'all') return 'all';
  return union(grant ?? []);
}

/**
 * The items on which the caller may use the field. 'all' means no restriction beyond the row rules, which is the case unless policies
 * differ about the field.
 */
export function fieldRules(view: SchemaView, collection: string, field: string, action: Action): RowRules {
  const grant = grantOf(view, collection, action);
  if (grant === 'all' || grant === null) return 'all';
  const listing = grant.filter((permission) => lists(permission.fields, field));
  return listing.length === grant.length ? 'all' : union(listing);
}

function union(grant: Grant): RowRules {
  const rules: Rule[] = [];
  for (const permission of grant) {
    if (permission.rule === null) return 'all';
    rules.push(permission.rule);
  }
  return rules;
}

const lists = (fields: ReadonlySet<string> | '*', name: string): boolean => fields === '*' || fields.has(name);
