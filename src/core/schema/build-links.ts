// All relations: those the metadata states, then those that only a foreign key speaks of.

import type { CollectionSource, CollectionSources } from './collection-source.js';
import { inferAliases } from './infer-aliases.js';
import type { Link, LinkAlias, LinkTarget } from './link.js';
import { type UsableForeignKey, usableForeignKeys } from './link-foreign-keys.js';
import { listOf, type MetaRow, textOf } from './meta-row.js';

type ForeignKeys = ReadonlyMap<string, readonly UsableForeignKey[]>;

export function buildLinks(sources: CollectionSources, rows: readonly MetaRow[], systemSchema: string | null): readonly Link[] {
  const foreignKeys: ForeignKeys = new Map(
    [...sources.values()].map((source) => [source.name, usableForeignKeys(source, sources, systemSchema)]),
  );
  const stated = rows.flatMap((row) => stateLink(row, sources, foreignKeys) ?? []);
  const inferred = inferLinks(foreignKeys, stated);
  return [...stated, ...inferAliases(inferred, stated, sources)];
}

/** A row that names a collection or field which is gone states nothing. */
function stateLink(row: MetaRow, sources: CollectionSources, foreignKeys: ForeignKeys): Link | null {
  const source = sources.get(textOf(row, 'many_collection') ?? '');
  const field = textOf(row, 'many_field');
  if (!source || field === null || !source.columns.has(field)) return null;
  const foreignKey = foreignKeys.get(source.name)?.find((candidate) => candidate.column === field) ?? null;
  const target = stateTarget(row, source, sources, foreignKey);
  if (target === null) return null;
  const matches = target.kind === 'one' && foreignKey?.related === target.related;
  return {
    collection: source.name,
    field,
    target,
    foreignKey: matches ? foreignKey.foreignKey : null,
    alias: stateAlias(row, sources),
    meta: row,
  };
}

function stateTarget(
  row: MetaRow,
  source: CollectionSource,
  sources: CollectionSources,
  foreignKey: UsableForeignKey | null,
): LinkTarget | null {
  const related = textOf(row, 'one_collection');
  if (related === null) return stateAnyTarget(row, source);
  if (foreignKey?.related === related) return { kind: 'one', related, relatedField: foreignKey.relatedField };
  const key = sources.get(related)?.table?.primaryKey ?? [];
  const [relatedField] = key;
  return key.length === 1 && relatedField !== undefined ? { kind: 'one', related, relatedField } : null;
}

function stateAnyTarget(row: MetaRow, source: CollectionSource): LinkTarget | null {
  const collectionField = textOf(row, 'one_collection_field');
  if (collectionField === null || !source.columns.has(collectionField)) return null;
  return { kind: 'any', collectionField, allowed: listOf(row, 'one_allowed_collections') };
}

function stateAlias(row: MetaRow, sources: CollectionSources): LinkAlias | null {
  const field = textOf(row, 'one_field');
  const one = sources.get(textOf(row, 'one_collection') ?? '');
  const many = sources.get(textOf(row, 'many_collection') ?? '');
  if (field === null || !one || !many || one.columns.has(field)) return null;
  const existing = (name: string | null): string | null => (name !== null && many.columns.has(name) ? name : null);
  return {
    field,
    sortField: existing(textOf(row, 'sort_field')),
    deselect: textOf(row, 'one_deselect_action') === 'delete' ? 'delete' : 'nullify',
    junctionField: existing(textOf(row, 'junction_field')),
  };
}

function inferLinks(foreignKeys: ForeignKeys, stated: readonly Link[]): readonly Link[] {
  const known = new Map<string, Set<string>>();
  for (const link of stated) known.set(link.collection, (known.get(link.collection) ?? new Set()).add(link.field));
  return [...foreignKeys].flatMap(([collection, keys]) =>
    keys.filter((key) => !known.get(collection)?.has(key.column)).map((key): Link => inferLink(collection, key)),
  );
}

const inferLink = (collection: string, key: UsableForeignKey): Link => ({
  collection,
  field: key.column,
  target: { kind: 'one', related: key.related, relatedField: key.relatedField },
  foreignKey: key.foreignKey,
  alias: null,
  meta: null,
});
