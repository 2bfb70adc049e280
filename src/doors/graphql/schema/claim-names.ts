// The names of all types drawn from collections, and which type each name means. Two that would be alike (`a_filter` as a collection
// beside the filter of `a`) are told apart by underscores at the end of the later one; collections come first and in the order of their
// names. Names are claimed for the whole schema once: no caller's depend on what he may see.

import type { Field, Schema } from '../../../core/schema/schema.js';
import { isName, nameOfCollection } from './graphql-names.js';

const patterns = {
  filter: (name: string) => `${name}_filter`,
  quantifier: (name: string) => `${name}_quantifier_filter`,
  create: (name: string) => `create_${name}_input`,
  update: (name: string) => `update_${name}_input`,
  changes: (name: string) => `${name}_changes_input`,
  aggregated: (name: string) => `${name}_aggregated`,
  counts: (name: string) => `${name}_aggregated_count`,
  totals: (name: string) => `${name}_aggregated_fields`,
  extremes: (name: string) => `${name}_aggregated_extremes`,
  version: (name: string) => `version_${name}`,
  mutated: (name: string) => `${name}_mutated`,
} as const;

type DerivedRole = keyof typeof patterns;
export type TypeRole = 'object' | DerivedRole;

export type NamedType =
  | { readonly kind: 'type'; readonly role: TypeRole; readonly collection: string }
  /** Of one field: the functions of a JSON value, the union of a many-to-any. */
  | { readonly kind: 'field-type'; readonly collection: string; readonly field: string };

export interface SchemaNames {
  /** What a type's name means. */
  readonly types: ReadonlyMap<string, NamedType>;
  /** Collections that GraphQL can name, in the order of their names, with the names of their types. */
  readonly collections: ReadonlyMap<string, Readonly<Record<TypeRole, string>>>;
  /** By `collection.field`. */
  readonly fields: ReadonlyMap<string, string>;
}

/** Gives every wish a name of its own: the wish itself, or the next one that is free. */
export function claim(taken: { has(name: string): boolean }, wish: string): string {
  let name = wish;
  while (taken.has(name)) name += '_';
  return name;
}

const known = new WeakMap<Schema, SchemaNames>();

export function namesOf(schema: Schema): SchemaNames {
  const names = known.get(schema) ?? claimNames(schema);
  known.set(schema, names);
  return names;
}

function claimNames(schema: Schema): SchemaNames {
  const types = new Map<string, NamedType>();
  const take = (wish: string, type: NamedType): string => {
    const name = claim(types, wish);
    types.set(name, type);
    return name;
  };
  const objects = new Map<string, string>();
  for (const collection of [...schema.collections.keys()].sort()) {
    const wish = nameOfCollection(collection);
    if (wish !== null) objects.set(collection, take(wish, { kind: 'type', role: 'object', collection }));
  }
  const collections = new Map<string, Record<TypeRole, string>>();
  const fields = new Map<string, string>();
  for (const [collection, object] of objects) {
    const derived = Object.entries(patterns).map(([role, pattern]) => {
      return [role, take(pattern(object), { kind: 'type', role: role as DerivedRole, collection })];
    });
    collections.set(collection, { object, ...(Object.fromEntries(derived) as Record<DerivedRole, string>) });
    for (const field of schema.collections.get(collection)?.fields.values() ?? []) {
      const suffix = suffixOf(field);
      const type = { kind: 'field-type', collection, field: field.name } as const;
      if (suffix !== null) fields.set(`${collection}.${field.name}`, take(`${object}_${field.name}${suffix}`, type));
    }
  }
  return { types, collections, fields };
}

function suffixOf(field: Field): string | null {
  if (field.kind !== 'column' || !isName(field.name)) return null;
  if (field.relation?.kind === 'm2a') return '_union';
  return field.type === 'json' && !field.concealed ? '_func' : null;
}
