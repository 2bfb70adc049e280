// Builds all relations: first those that metadata rows state, then those that only a foreign key implies.

import { listOf, type MetaRow, textOf } from '../meta-row.js';
import type { KeyPairs } from '../schema.js';
import { type CollectionSource, type CollectionSources, canRelate } from './collection-source.js';
import { chooseDeselect, otherLeg } from './infer-aliases.js';
import type { Link, LinkAlias, LinkTarget } from './link.js';
import { systemTables, type UsableForeignKey, usableForeignKeys } from './link-foreign-keys.js';
import { type AliasNames, nameAliases } from './name-aliases.js';

type ForeignKeys = ReadonlyMap<string, readonly UsableForeignKey[]>;

export function buildLinks(sources: CollectionSources, rows: readonly MetaRow[]): readonly Link[] {
  const own = systemTables(sources);
  const foreignKeys: ForeignKeys = new Map([...sources.values()].map((source) => [source.name, usableForeignKeys(source, sources, own)]));
  const stated = rows.flatMap((row) => stateLink(row, sources, foreignKeys) ?? []);
  const names = nameAliases([...foreignKeys.values()].flat(), sources, claimedNames(stated, sources));
  return [...stated, ...inferLinks(foreignKeys, stated, names, sources)];
}

/** Ignores a row that names a missing collection or field, or a collection of the other database. */
function stateLink(row: MetaRow, sources: CollectionSources, foreignKeys: ForeignKeys): Link | null {
  const source = sources.get(textOf(row, 'many_collection') ?? '');
  const field = textOf(row, 'many_field');
  if (!source || field === null) return null;
  const foreignKey = foreignKeys.get(source.name)?.find((candidate) => candidate.field === field) ?? null;
  if (!source.columns.has(field) && foreignKey === null) return null;
  const target = stateTarget(row, source, sources, field, foreignKey);
  if (target === null) return null;
  const matches = target.kind === 'one' && foreignKey?.related === target.related;
  return {
    collection: source.name,
    field,
    target,
    foreignKey: matches ? foreignKey.foreignKey : null,
    alias: target.kind === 'one' ? stateAlias(row, sources, target.pairs, foreignKeys) : null,
    meta: row,
  };
}

function stateTarget(
  row: MetaRow,
  source: CollectionSource,
  sources: CollectionSources,
  field: string,
  foreignKey: UsableForeignKey | null,
): LinkTarget | null {
  const related = textOf(row, 'one_collection');
  if (foreignKey !== null && foreignKey.related === related) return { kind: 'one', related, pairs: foreignKey.pairs };
  if (!source.columns.has(field)) return null;
  if (related === null) return stateAnyTarget(row, source, sources);
  const one = sources.get(related);
  const [target, ...more] = one?.table?.primaryKey ?? [];
  return target !== undefined && more.length === 0 && canRelate(source, one)
    ? { kind: 'one', related, pairs: [{ column: field, target }] }
    : null;
}

function stateAnyTarget(row: MetaRow, source: CollectionSource, sources: CollectionSources): LinkTarget | null {
  const collectionField = textOf(row, 'one_collection_field');
  if (collectionField === null || !source.columns.has(collectionField)) return null;
  return {
    kind: 'any',
    collectionField,
    allowed: listOf(row, 'one_allowed_collections').filter((name) => !sources.has(name) || canRelate(source, sources.get(name))),
  };
}

function stateAlias(row: MetaRow, sources: CollectionSources, pairs: KeyPairs, foreignKeys: ForeignKeys): LinkAlias | null {
  const field = textOf(row, 'one_field');
  const one = sources.get(textOf(row, 'one_collection') ?? '');
  const many = sources.get(textOf(row, 'many_collection') ?? '');
  if (field === null || !one || !many || one.columns.has(field)) return null;
  const sortField = textOf(row, 'sort_field');
  const leg = textOf(row, 'junction_field');
  const isLeg = leg !== null && (many.columns.has(leg) || foreignKeys.get(many.name)?.some((key) => key.field === leg));
  const junctionField = isLeg ? leg : null;
  return {
    field,
    sortField: sortField !== null && many.columns.has(sortField) ? sortField : null,
    deselect: chooseDeselect(many, pairs, junctionField !== null, textOf(row, 'one_deselect_action')),
    junctionField,
  };
}

/** The field names that metadata already uses, by collection: aliases of stated relations, and presentation fields such as dividers. */
function claimedNames(stated: readonly Link[], sources: CollectionSources): ReadonlyMap<string, ReadonlySet<string>> {
  const claimed = new Map<string, Set<string>>();
  const claim = (collection: string, field: string): void => {
    const names = claimed.get(collection) ?? new Set();
    claimed.set(collection, names.add(field));
  };
  for (const { alias, target } of stated) if (alias && target.kind === 'one') claim(target.related, alias.field);
  for (const source of sources.values()) {
    for (const [field, row] of source.fieldMeta) if (listOf(row, 'special').includes('no-data')) claim(source.name, field);
  }
  return claimed;
}

function inferLinks(foreignKeys: ForeignKeys, stated: readonly Link[], names: AliasNames, sources: CollectionSources): readonly Link[] {
  const known = new Set(stated.map(({ collection, field }) => JSON.stringify([collection, field])));
  return [...foreignKeys].flatMap(([collection, keys]) => {
    const many = sources.get(collection);
    if (many === undefined) return [];
    return keys.filter((key) => !known.has(JSON.stringify([collection, key.field]))).map((key) => inferLink(many, key, keys, names));
  });
}

function inferLink(many: CollectionSource, key: UsableForeignKey, keys: readonly UsableForeignKey[], names: AliasNames): Link {
  const { collection, field, related, pairs, foreignKey } = key;
  const target: LinkTarget = { kind: 'one', related, pairs };
  const name = names.get(key);
  if (name === undefined) return { collection, field, target, foreignKey, alias: null, meta: null };
  const junctionField = otherLeg(many, key, keys);
  const deselect = chooseDeselect(many, pairs, junctionField !== null, null);
  return { collection, field, target, foreignKey, alias: { field: name, sortField: null, deselect, junctionField }, meta: null };
}
