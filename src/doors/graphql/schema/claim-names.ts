// The names of all types drawn from collections. Two that would be alike (`a_filter` as a collection beside the filter of `a`) are told
// apart by underscores at the end of the later one; collections come first and in the order of their names, so names are stable.

import type { Collection } from '../../../core/schema/schema.js';
import { nameOfCollection } from './graphql-names.js';

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

export type TypeRole = 'object' | keyof typeof patterns;

export type TypeNames = Readonly<Record<TypeRole, string>>;

/** Gives every wish a name of its own: the wish itself, or the next one that is free. */
export class Claims {
  readonly #taken = new Set<string>();

  claim(wish: string): string {
    let name = wish;
    while (this.#taken.has(name)) name += '_';
    this.#taken.add(name);
    return name;
  }
}

/** By collection; collections without a name in GraphQL are missing. */
export function claimNames(collections: Iterable<Collection>, claims: Claims): ReadonlyMap<string, TypeNames> {
  const named = [...collections].flatMap((collection) => {
    const name = nameOfCollection(collection);
    return name === null ? [] : [{ collection: collection.name, name }];
  });
  named.sort((left, right) => (left.collection < right.collection ? -1 : 1));
  const objects = named.map(({ collection, name }) => ({ collection, object: claims.claim(name) }));
  return new Map(objects.map(({ collection, object }) => [collection, claimDerived(object, claims)]));
}

function claimDerived(object: string, claims: Claims): TypeNames {
  return {
    object,
    filter: claims.claim(patterns.filter(object)),
    quantifier: claims.claim(patterns.quantifier(object)),
    create: claims.claim(patterns.create(object)),
    update: claims.claim(patterns.update(object)),
    changes: claims.claim(patterns.changes(object)),
    aggregated: claims.claim(patterns.aggregated(object)),
    counts: claims.claim(patterns.counts(object)),
    totals: claims.claim(patterns.totals(object)),
    extremes: claims.claim(patterns.extremes(object)),
    version: claims.claim(patterns.version(object)),
    mutated: claims.claim(patterns.mutated(object)),
  };
}
