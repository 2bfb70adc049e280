// The root fields of all collections, by name, whatever a caller may do; computed once per database schema and endpoint. A name derived from
// one collection may be the name of another (a collection `a_by_id`, and the items of `a` by key): the derived name then gets underscores.

import type { Collection, Schema } from '../../../../core/schema/schema.js';
import { claim } from '../names/graphql-names.js';
import type { ReadKind, WriteKind } from '../types/meanings.js';

export interface RootName<Kind> {
  readonly kind: Kind;
  readonly collection: Collection;
}

export interface RootNames {
  readonly queries: ReadonlyMap<string, RootName<ReadKind>>;
  readonly mutations: ReadonlyMap<string, RootName<WriteKind>>;
}

/** The name of a collection at the root; null: it has no root fields. */
export type NameAtRoot = (collection: Collection) => string | null;

/** `reserved`: names of other fields of the same root. */
export function nameRoots(schema: Schema, nameOf: NameAtRoot, reserved: ReadonlySet<string>): RootNames {
  const named = [...schema.collections.values()].flatMap((collection) => {
    const name = collection.table === null ? null : nameOf(collection);
    return name === null ? [] : [{ name, collection }];
  });
  named.sort((left, right) => (left.name < right.name ? -1 : 1));
  const own = named.map(({ name, collection }) => ({ name, collection, kind: collection.singleton ? 'singleton' : 'items' }) as const);
  const derived = named.flatMap(({ name, collection }) => derivedQueries(name, collection));
  return {
    queries: take([...own, ...derived], reserved),
    mutations: take(
      named.flatMap(({ name, collection }) => mutations(name, collection)),
      reserved,
    ),
  };
}

type PreferredRoot<Kind> = RootName<Kind> & { readonly name: string };

function take<Kind>(preferred: readonly PreferredRoot<Kind>[], reserved: ReadonlySet<string>): ReadonlyMap<string, RootName<Kind>> {
  const taken = new Map<string, RootName<Kind>>();
  const isTaken = { has: (name: string) => taken.has(name) || reserved.has(name) };
  for (const { name, kind, collection } of preferred) taken.set(claim(isTaken, name), { kind, collection });
  return taken;
}

function derivedQueries(name: string, collection: Collection): readonly PreferredRoot<ReadKind>[] {
  const versions: readonly PreferredRoot<ReadKind>[] = collection.system
    ? []
    : [{ name: `${name}_by_version`, kind: 'version', collection }];
  if (collection.singleton) return versions;
  const totals: PreferredRoot<ReadKind> = { name: `${name}_aggregated`, kind: 'aggregated', collection };
  return collection.primaryKey.length === 0 ? [totals] : [totals, { name: `${name}_by_id`, kind: 'item', collection }, ...versions];
}

function mutations(name: string, collection: Collection): readonly PreferredRoot<WriteKind>[] {
  if (collection.readOnly) return [];
  if (collection.singleton) return [{ name: `update_${name}`, kind: 'update-singleton', collection }];
  return [
    { name: `create_${name}_item`, kind: 'create-one', collection },
    { name: `create_${name}_items`, kind: 'create-many', collection },
    { name: `update_${name}_item`, kind: 'update-one', collection },
    { name: `update_${name}_items`, kind: 'update-many', collection },
    { name: `update_${name}_batch`, kind: 'update-batch', collection },
    { name: `delete_${name}_item`, kind: 'delete-one', collection },
    { name: `delete_${name}_items`, kind: 'delete-many', collection },
  ];
}
