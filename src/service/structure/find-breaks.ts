// What else in the service and the database rests on what a change takes away or alters: relations, permissions, views.

import { collectionName } from '../../core/schema/collection-name.js';
import type { StructureChange } from '../../core/vendor/ddl.js';
import type { ViewText } from '../../core/vendor/dialect.js';
import type { StructureState } from './structure-state.js';
import type { RowChange, Unit } from './unit.js';

export type Break =
  | { readonly kind: 'relation'; readonly collection: string; readonly field: string }
  | { readonly kind: 'permission'; readonly id: unknown; readonly policy: unknown; readonly collection: unknown; readonly action: unknown }
  | { readonly kind: 'view'; readonly name: string };

export function findBreaks(state: StructureState, unit: Unit, views: readonly ViewText[]): readonly Break[] {
  const broken = brokenViews(unit.changes, views).map((name): Break => ({ kind: 'view', name }));
  return [...brokenRelations(state, unit), ...brokenPermissions(state, unit.rows), ...broken];
}

function brokenRelations(state: StructureState, { changes, rows }: Unit): readonly Break[] {
  const keys = changes.flatMap((change) =>
    change.kind === 'drop-foreign-key' ? change.foreignKey.columns.map((column) => [collectionName(change.table), column] as const) : [],
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

function brokenPermissions(state: StructureState, rows: readonly RowChange[]): readonly Break[] {
  const touched = rows.flatMap((row) => (row.kind !== 'insert' && row.collection === 'service_permissions' ? [row.where] : []));
  return state.permissions
    .filter((row) => touched.some((where) => Object.entries(where).every(([key, value]) => row[key] === value)))
    .map(({ id, policy, collection, action }) => ({ kind: 'permission', id, policy, collection, action }));
}

/** Views that could not be read any more. By the words of their text: a like name is one too many rather than one too few. */
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
