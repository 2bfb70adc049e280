// Names for the alias fields that list the items pointing at a collection. They depend on the foreign keys only: `books` if one key leads
// from books to here, `books_by_<key>` for each of several. No change of metadata ever moves a name from one key to another.

import { groupBy } from '../../util/group-by.js';
import type { CollectionSources } from './collection-source.js';
import { nameBy, nameOfTable, nameWithDigest } from './generated-names.js';
import { identityOf, type UsableForeignKey } from './link-foreign-keys.js';

export type AliasNames = ReadonlyMap<UsableForeignKey, string>;

/** `claimed` holds, by collection, the names that metadata uses otherwise. A key whose name is claimed gets its next candidate. */
export function nameAliases(
  keys: readonly UsableForeignKey[],
  sources: CollectionSources,
  claimed: ReadonlyMap<string, ReadonlySet<string>>,
): AliasNames {
  const names = new Map<UsableForeignKey, string>();
  const pointing = groupBy(keys, (key) => key.collection);
  for (const [related, own] of groupBy(keys, (key) => key.related)) {
    const one = sources.get(related);
    if (one === undefined || one.system) continue;
    const fields = new Set([...one.columns.keys(), ...(pointing.get(related) ?? []).map((key) => key.field)]);
    const others = claimed.get(related) ?? new Set();
    for (const [key, name] of yieldClaimed(assignNames(own, fields, sources), fields, others, sources)) names.set(key, name);
  }
  return names;
}

/** Each key gets its first candidate that no field of the collection has and no other key would get. */
function assignNames(keys: readonly UsableForeignKey[], fields: ReadonlySet<string>, sources: CollectionSources): AliasNames {
  const names = new Map<UsableForeignKey, string>();
  const fromTable = groupBy(keys, (key) => key.collection);
  const isOnly = (key: UsableForeignKey): boolean => fromTable.get(key.collection)?.length === 1;
  const candidates = [
    (key: UsableForeignKey) => (isOnly(key) ? nameOfMany(key, sources) : byName(key, sources)),
    (key: UsableForeignKey) => byName(key, sources),
  ];
  for (const candidate of candidates) {
    const taken = new Set(names.values());
    const open = keys.filter((key) => !names.has(key));
    for (const [name, [first, ...others]] of groupBy(open, candidate)) {
      if (first !== undefined && others.length === 0 && !taken.has(name) && !fields.has(name)) names.set(first, name);
    }
  }
  for (const key of keys) if (!names.has(key)) names.set(key, digestName(key, sources));
  return names;
}

/** Replaces names that metadata claims, without affecting the names of other keys. */
function yieldClaimed(
  names: AliasNames,
  fields: ReadonlySet<string>,
  claimed: ReadonlySet<string>,
  sources: CollectionSources,
): AliasNames {
  const taken = new Set([...names.values(), ...fields, ...claimed]);
  return new Map(
    [...names].map(([key, name]) => {
      if (!claimed.has(name)) return [key, name];
      const next = byName(key, sources);
      return [key, taken.has(next) ? digestName(key, sources) : next];
    }),
  );
}

function nameOfMany({ collection }: UsableForeignKey, sources: CollectionSources): string {
  const table = sources.get(collection)?.table;
  return table ? nameOfTable(table.schema, table.name) : collection;
}

const byName = (key: UsableForeignKey, sources: CollectionSources): string => nameBy(nameOfMany(key, sources), key.field);

const digestName = (key: UsableForeignKey, sources: CollectionSources): string => nameWithDigest(byName(key, sources), identityOf(key));
