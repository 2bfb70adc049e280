// The foreign keys that become relations: those whose columns are known on both sides. A key of one column becomes a relation of that
// column; a key of several columns gets a field of its own, named after its columns.

import type { RawForeignKey } from '../raw.js';
import type { KeyPair, KeyPairs } from '../schema.js';
import { collectionName } from '../table-name.js';
import type { CollectionSource, CollectionSources } from './collection-source.js';
import { joinNames, nameWithDigest } from './generated-names.js';

export interface UsableForeignKey {
  readonly collection: string;
  /** The column, or the name generated for several columns. */
  readonly field: string;
  readonly related: string;
  readonly pairs: KeyPairs;
  readonly foreignKey: RawForeignKey;
}

/** Keys of one column come first, in the order of the columns; a column with several such keys keeps the first. */
export function usableForeignKeys(source: CollectionSource, sources: CollectionSources, own: SystemTables): readonly UsableForeignKey[] {
  const byColumn = new Map<string, UsableForeignKey>();
  const composite: UsableForeignKey[] = [];
  for (const foreignKey of source.table?.foreignKeys ?? []) {
    const usable = readForeignKey(source, foreignKey, sources, own);
    if (usable === null) continue;
    if (usable.pairs.length > 1) composite.push(usable);
    else if (!byColumn.has(usable.field)) byColumn.set(usable.field, usable);
  }
  return [...[...source.columns.keys()].flatMap((column) => byColumn.get(column) ?? []), ...nameComposites(source, composite)];
}

function readForeignKey(
  source: CollectionSource,
  foreignKey: RawForeignKey,
  sources: CollectionSources,
  own: SystemTables,
): UsableForeignKey | null {
  const related = targetName(foreignKey, own);
  const target = sources.get(related);
  const [first, ...more] = foreignKey.columns.map((column, index): KeyPair => ({ column, target: foreignKey.foreignColumns[index] ?? '' }));
  if (target === undefined || first === undefined) return null;
  const pairs: KeyPairs = [first, ...more];
  const known = pairs.every((pair) => source.columns.has(pair.column) && target.columns.has(pair.target));
  return known ? { collection: source.name, field: joinNames(foreignKey.columns), related, pairs, foreignKey } : null;
}

/**
 * Two keys over the same columns, or a column of the same name, would make the generated name ambiguous; a digest of the key is appended.
 */
function nameComposites(source: CollectionSource, keys: readonly UsableForeignKey[]): readonly UsableForeignKey[] {
  return keys
    .map((key) => {
      const contested = source.columns.has(key.field) || keys.some((other) => other !== key && other.field === key.field);
      return contested ? { ...key, field: nameWithDigest(key.field, identityOf(key)) } : key;
    })
    .toSorted((a, b) => (a.field < b.field ? -1 : 1));
}

/** Identifies a key regardless of other keys: the text its digest is computed from. */
export const identityOf = ({ collection, related, pairs }: UsableForeignKey): string => JSON.stringify([collection, related, pairs]);

/** System collections by their tables: they may be called otherwise, and their names have no schema in them. */
export type SystemTables = ReadonlyMap<string, CollectionSource>;

export const systemTables = (sources: CollectionSources): SystemTables =>
  new Map([...sources.values()].flatMap((source) => (source.system && source.table !== null ? [[source.table.name, source]] : [])));

function targetName({ foreignSchema, foreignTable }: RawForeignKey, own: SystemTables): string {
  const named = own.get(foreignTable);
  return named?.table?.schema === foreignSchema ? named.name : collectionName({ schema: foreignSchema, name: foreignTable });
}
