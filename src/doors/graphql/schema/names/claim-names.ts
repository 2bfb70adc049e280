// The names of all types drawn from collections, and what each name means. Where two would be equal (a collection `a_filter` and the filter
// of `a`), the later one gets underscores at its end; collections come first, in the order of `nameAll`. Names are assigned once for the
// whole database schema, so that they do not depend on what a caller may see.

import type { Field, Schema } from '../../../../core/schema/schema.js';
import { choicesOf, claim, fieldNames, nameAll, reservedTypes } from './graphql-names.js';

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
  /** A type of one field: the functions of a JSON value, the union of a many-to-any, an enum. */
  | { readonly kind: 'field-type'; readonly collection: string; readonly field: string };

export interface SchemaNames {
  /** The meaning of each type name. */
  readonly types: ReadonlyMap<string, NamedType>;
  /** The names of each collection's types. */
  readonly collections: ReadonlyMap<string, Readonly<Record<TypeRole, string>>>;
  /** The names of fields' types, by `collection.field`. */
  readonly fields: ReadonlyMap<string, string>;
}

const known = new WeakMap<Schema, SchemaNames>();

export function namesOf(schema: Schema): SchemaNames {
  const names = known.get(schema) ?? claimNames(schema);
  known.set(schema, names);
  return names;
}

function claimNames(schema: Schema): SchemaNames {
  const types = new Map<string, NamedType>();
  const isTaken = { has: (name: string) => types.has(name) || reservedTypes.has(name) };
  const take = (preferred: string, type: NamedType): string => {
    const name = claim(isTaken, preferred);
    types.set(name, type);
    return name;
  };
  const objects = nameAll([...schema.collections.values()], reservedTypes);
  for (const [collection, name] of objects) types.set(name, { kind: 'type', role: 'object', collection });
  const collections = new Map<string, Record<TypeRole, string>>();
  const fields = new Map<string, string>();
  for (const [collection, object] of objects) {
    const derived = Object.entries(patterns).map(([role, pattern]) => {
      return [role, take(pattern(object), { kind: 'type', role: role as DerivedRole, collection })];
    });
    collections.set(collection, { object, ...(Object.fromEntries(derived) as Record<DerivedRole, string>) });
    const facts = schema.collections.get(collection);
    for (const field of facts?.fields.values() ?? []) {
      const suffix = suffixOf(field);
      if (suffix === null || facts === undefined) continue;
      const type = { kind: 'field-type', collection, field: field.name } as const;
      fields.set(`${collection}.${field.name}`, take(`${object}_${fieldNames(facts).get(field.name)}${suffix}`, type));
    }
  }
  return { types, collections, fields };
}

function suffixOf(field: Field): string | null {
  if (field.kind !== 'column') return null;
  if (field.relation?.kind === 'm2a') return '_union';
  if (choicesOf(field) !== null) return '_enum';
  return field.type === 'json' && !field.concealed ? '_func' : null;
}
