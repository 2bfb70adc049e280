// The dependents that a change breaks: relations, permissions and views that use what the change drops or alters.

import type { Relation } from '../../../core/schema/schema.js';
import { collectionName } from '../../../core/schema/table-name.js';
import type { StructureChange } from '../../../core/vendor/ddl.js';
import type { ViewText } from '../../../core/vendor/dialect.js';
import type { ChangeSet, RowChange } from '../plan/change-set.js';
import type { StructureState } from '../plan/structure-state.js';

export type Break =
  | { readonly kind: 'relation'; readonly collection: string; readonly field: string }
  | { readonly kind: 'permission'; readonly id: unknown; readonly policy: unknown; readonly collection: unknown; readonly action: unknown }
  | { readonly kind: 'view'; readonly name: string };

export function findBreaks(state: StructureState, changeSet: ChangeSet, views: readonly ViewText[]): readonly Break[] {
  const broken = brokenViews(changeSet.changes, views).map((name): Break => ({ kind: 'view', name }));
  return [...brokenRelations(state, changeSet), ...brokenPermissions(state, changeSet.rows), ...broken];
}

function brokenRelations(state: StructureState, { changes, rows }: ChangeSet): readonly Break[] {
  const keys = changes.flatMap((change) =>
    change.kind === 'drop-foreign-key' ? fieldsOf(state, collectionName(change.table), change.foreignKey.columns) : [],
  );
  const stated = rows.flatMap((row) =>
    row.kind === 'delete' && row.collection === 'service_relations'
      ? [[String(row.where.many_collection), String(row.where.many_field)] as const]
      : [],
  );
  const dropped = new Set(changes.flatMap((change) => (change.kind === 'drop-table' ? collectionName(change.table) : [])));
  const own = state.schema.relations
    .filter(({ collection }) => dropped.has(collection))
    .map(({ collection, field }) => [collection, field] as const);
  const distinct = new Map([...keys, ...stated, ...own].map((pair) => [JSON.stringify(pair), pair]));
  return [...distinct.values()].map(([collection, field]) => ({ kind: 'relation', collection, field }));
}

/** The fields of the relations that rest on a foreign key, or the key's columns if it makes no relation. */
function fieldsOf(state: StructureState, collection: string, columns: readonly string[]): readonly (readonly [string, string])[] {
  const isOfKey = (relation: Relation): boolean =>
    relation.collection === collection && relation.foreignKey?.columns.join('\0') === columns.join('\0');
  const found = state.schema.relations.filter(isOfKey).map(({ field }) => field);
  return (found.length > 0 ? found : columns).map((field) => [collection, field] as const);
}

function brokenPermissions(state: StructureState, rows: readonly RowChange[]): readonly Break[] {
  const touched = rows.flatMap((row) => (row.kind !== 'insert' && row.collection === 'service_permissions' ? [row.where] : []));
  return state.permissions
    .filter((row) => touched.some((where) => Object.entries(where).every(([key, value]) => row[key] === value)))
    .map(({ id, policy, collection, action }) => ({ kind: 'permission', id, policy, collection, action }));
}

/** The views whose text contains the name of a dropped table or column. A false match reports a view too many, never one too few. */
export function brokenViews(changes: readonly StructureChange[], views: readonly ViewText[]): readonly string[] {
  const gone = new Set(changes.flatMap((change) => (change.kind === 'drop-table' ? collectionName(change.table) : [])));
  return views
    .filter((view) => !gone.has(collectionName(view)) && changes.some((change) => takesFrom(change, view)))
    .map((view) => collectionName(view));
}

function takesFrom(change: StructureChange, { text }: ViewText): boolean {
  if (change.kind === 'drop-table') return mentions(text, change.table.name);
  return change.kind === 'drop-column' && mentions(text, change.table.name) && mentions(text, change.column);
}

function mentions(text: string, name: string): boolean {
  const word = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}_])${word}(?![\\p{L}\\p{N}_])`, 'iu').test(text);
}
