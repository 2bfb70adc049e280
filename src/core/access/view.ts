// The schema as this caller sees it. Every name of a request is looked up here and nowhere else, so an unknown name and a
// forbidden name fail in the same line with the same answer.

import { forbiddenCollection, forbiddenField } from '../errors/service-error.js';
import type { Collection, Field, Schema } from '../schema/schema.js';
import type { Accountability } from './accountability.js';
import { type Action, allGrants, type Grant, type Grants, type Rule } from './permission.js';

export interface SchemaView {
  readonly schema: Schema;
  readonly grants: Grants;
  /** Identity for plan caches: equal keys mean equal views. */
  readonly key: string;
}

export interface Caller {
  readonly accountability: Accountability;
  readonly view: SchemaView;
}

/** Which items of a collection are meant: all of them, or those for which one of the rules holds. */
export type RowRules = readonly Rule[] | 'all';

export const makeView = (schema: Schema, grants: Grants): SchemaView => ({ schema, grants, key: `${schema.version}:${grants.key}` });

/** Internal work: the whole schema, no rules. Stated explicitly wherever it is used. */
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
      ip: null,
      userAgent: null,
      origin: null,
    },
  };
}

export function grantOf(view: SchemaView, collection: string, action: Action): Grant | 'all' | null {
  if (view.grants.admin) return 'all';
  return view.grants.byCollection.get(collection)?.[action] ?? null;
}

/** The collection, if the caller may do `action` on at least some of its items. */
export function findCollection(view: SchemaView, name: string, action: Action): Collection | null {
  const collection = view.schema.collections.get(name);
  if (!collection || collection.table === null || grantOf(view, name, action) === null) return null;
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
  if (grant === 'all' || grant.some((permission) => lists(permission.fields, name))) return field;
  return null;
}

export function lookUpField(view: SchemaView, collection: Collection, name: string, action: Action): Field {
  const field = findField(view, collection, name, action);
  if (!field) throw forbiddenField(name, collection.name);
  return field;
}

/** All fields the caller may see on at least some items, in the collection's order. */
export function visibleFields(view: SchemaView, collection: Collection, action: Action): readonly Field[] {
  return [...collection.fields.values()].filter((field) => findField(view, collection, field.name, action) !== null);
}

/** The items the caller may act on: the union of the rules of all policies. */
export function rowRules(view: SchemaView, collection: string, action: Action): RowRules {
  const grant = grantOf(view, collection, action);
  if (grant === 'all') return 'all';
  return union(grant ?? []);
}

/** The items on which this field may be used. Equal to the row rules ('all' here) unless policies differ about the field. */
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
