// The foreign keys that can be relations: those of one column, pointing at a column of a known collection.

import { collectionName } from './collection-name.js';
import type { CollectionSource, CollectionSources } from './collection-source.js';
import type { RawForeignKey } from './raw.js';

export interface UsableForeignKey {
  readonly column: string;
  readonly related: string;
  readonly relatedField: string;
  readonly foreignKey: RawForeignKey;
}

/** In column order; a column with several foreign keys keeps the first. */
export function usableForeignKeys(
  source: CollectionSource,
  sources: CollectionSources,
  systemSchema: string | null,
): readonly UsableForeignKey[] {
  const byColumn = new Map<string, UsableForeignKey>();
  for (const foreignKey of source.table?.foreignKeys ?? []) {
    const usable = readForeignKey(foreignKey, sources, systemSchema);
    if (usable && source.columns.has(usable.column) && !byColumn.has(usable.column)) byColumn.set(usable.column, usable);
  }
  return [...source.columns.keys()].flatMap((column) => byColumn.get(column) ?? []);
}

function readForeignKey(foreignKey: RawForeignKey, sources: CollectionSources, systemSchema: string | null): UsableForeignKey | null {
  const [column, ...moreColumns] = foreignKey.columns;
  const [relatedField] = foreignKey.foreignColumns;
  if (column === undefined || relatedField === undefined || moreColumns.length > 0) return null;
  const related = targetName(foreignKey, sources, systemSchema);
  return sources.get(related)?.columns.has(relatedField) ? { column, related, relatedField, foreignKey } : null;
}

/** System collections bear no schema in their name, wherever their tables live. */
function targetName(foreignKey: RawForeignKey, sources: CollectionSources, systemSchema: string | null): string {
  const { foreignSchema, foreignTable } = foreignKey;
  const isSystem = foreignSchema === systemSchema && sources.get(foreignTable)?.system === true;
  return isSystem ? foreignTable : collectionName({ schema: foreignSchema, name: foreignTable });
}
