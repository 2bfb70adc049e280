// Permissions after a field is deleted: field lists and presets lose the field. A permission whose rule or validation refers to the field
// is deleted, because without that condition it would grant more than before.

import { listOf, type MetaRow } from '../../../core/schema/meta-row.js';
import type { Schema } from '../../../core/schema/schema.js';
import { isPlainObject } from '../../../core/util/plain-object.js';
import type { RowChange } from './change-set.js';
import type { StructureState } from './structure-state.js';

export const cleanGrants = (state: StructureState, collection: string, field: string): readonly RowChange[] =>
  state.permissions.flatMap((row) => cleanPermission(state, row, collection, field));

function cleanPermission(state: StructureState, row: MetaRow, collection: string, field: string): readonly RowChange[] {
  const where = { id: row.id };
  const on = String(row.collection);
  const refers = [row.permissions, row.validation].some((rule) => mentionsField(rule, on, collection, field, state.schema));
  if (refers) return [{ kind: 'delete', collection: 'service_permissions', where }];
  if (on !== collection) return [];
  const set = { ...withoutListed(row, field), ...withoutPreset(row, field) };
  return Object.keys(set).length === 0 ? [] : [{ kind: 'update', collection: 'service_permissions', set, where }];
}

function withoutListed(row: MetaRow, field: string): MetaRow {
  const listed = listOf(row, 'fields');
  return listed.includes(field) ? { fields: listed.filter((name) => name !== field).join(',') || null } : {};
}

function withoutPreset({ presets }: MetaRow, field: string): MetaRow {
  if (!isPlainObject(presets) || !Object.hasOwn(presets, field)) return {};
  const { [field]: _, ...rest } = presets;
  return { presets: rest };
}

/** Whether a stored filter refers to a field, directly or through relations. `at` is the filter's collection, null if it is unknown. */
function mentionsField(filter: unknown, at: string | null, collection: string, field: string, schema: Schema): boolean {
  if (Array.isArray(filter)) return filter.some((entry) => mentionsField(entry, at, collection, field, schema));
  if (!isPlainObject(filter)) return false;
  return Object.entries(filter).some(([key, value]) => {
    if (key.startsWith('_')) return mentionsField(value, at, collection, field, schema);
    const name = fieldIn(key);
    return (at === collection && name === field) || mentionsField(value, nextCollection(schema, at, key), collection, field, schema);
  });
}

/** `year(published)` refers to `published`, `item:books` to `item`. */
const fieldIn = (key: string): string => /\(([^,)]+)/.exec(key)?.[1]?.trim() ?? key.split(':')[0] ?? key;

function nextCollection(schema: Schema, at: string | null, key: string): string | null {
  const [name = key, scope] = key.split(':');
  if (scope !== undefined) return scope;
  const found = at === null ? undefined : schema.collections.get(at)?.fields.get(name);
  if (found?.kind === 'relation' || found?.kind === 'reference') return found.relation.related;
  return found?.kind === 'column' && found.relation?.kind === 'm2o' ? found.relation.related : null;
}
