// The one side of relations that only a foreign key speaks of: `authors` gets a field `books` listing the books that point at it.
// Only collections of the user get such fields; the system collections keep the fields of their definitions.

import type { CollectionSource, CollectionSources } from './collection-source.js';
import type { Link } from './link.js';

export function inferAliases(inferred: readonly Link[], stated: readonly Link[], sources: CollectionSources): readonly Link[] {
  const taken = takenNames(sources, stated);
  return inferred.map((link) => {
    const many = sources.get(link.collection);
    const one = link.target.kind === 'one' ? sources.get(link.target.related) : undefined;
    if (!many || !one || one.system) return link;
    const names = taken.get(one.name) ?? new Set();
    const field = chooseName(many, link.field, names);
    names.add(field);
    return { ...link, alias: { field, sortField: null, deselect: 'nullify', junctionField: otherLeg(many, link, inferred) } };
  });
}

function takenNames(sources: CollectionSources, stated: readonly Link[]): ReadonlyMap<string, Set<string>> {
  const taken = new Map(
    [...sources.values()].map((source) => [source.name, new Set([...source.columns.keys(), ...source.fieldMeta.keys()])]),
  );
  for (const link of stated) {
    if (link.alias && link.target.kind === 'one') taken.get(link.target.related)?.add(link.alias.field);
  }
  return taken;
}

/** `books`, else `books_by_author`, else with a number. A dot would end the name in a path. */
function chooseName(many: CollectionSource, field: string, taken: ReadonlySet<string>): string {
  const plain = (many.table?.name ?? many.name).replaceAll('.', '_');
  if (!taken.has(plain)) return plain;
  const byField = `${plain}_by_${field.replaceAll('.', '_')}`;
  let name = byField;
  for (let count = 2; taken.has(name); count += 1) name = `${byField}_${count}`;
  return name;
}

/** The other foreign key of a junction: a table of exactly two, whose key is made of them or which holds nothing else. */
function otherLeg(many: CollectionSource, link: Link, inferred: readonly Link[]): string | null {
  if (many.table?.foreignKeys.length !== 2) return null;
  const legs = many.table.foreignKeys.flatMap((key) => (key.columns.length === 1 ? key.columns : []));
  const [first, second] = legs;
  if (first === undefined || second === undefined || first === second) return null;
  const key = many.table.primaryKey;
  const keyIsLegs = key.length === 2 && key.every((column) => legs.includes(column));
  const holdsNothingElse = [...many.columns.keys()].every((column) => legs.includes(column) || key.includes(column));
  if (!keyIsLegs && !holdsNothingElse) return null;
  const other = link.field === first ? second : first;
  return inferred.some((candidate) => candidate.collection === link.collection && candidate.field === other) ? other : null;
}
