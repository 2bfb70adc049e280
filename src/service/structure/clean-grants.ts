// What becomes of the grants that named a field when it goes: lists and presets lose it; a permission whose rule speaks of it cannot be
// kept without opening what it guarded, so it goes as a whole.

import { listOf, type MetaRow } from '../../core/schema/meta-row.js';
import { mentionsField } from './filter-mentions.js';
import { isObject } from './payload.js';
import type { StructureState } from './structure-state.js';
import type { RowChange } from './unit.js';

export const cleanGrants = (state: StructureState, collection: string, field: string): readonly RowChange[] =>
  state.permissions.flatMap((row) => cleanPermission(state, row, collection, field));

function cleanPermission(state: StructureState, row: MetaRow, collection: string, field: string): readonly RowChange[] {
  const where = { id: row.id };
  const on = String(row.collection);
  const speaks = [row.permissions, row.validation].some((rule) => mentionsField(rule, on, collection, field, state.schema));
  if (speaks) return [{ kind: 'delete', collection: 'service_permissions', where }];
  if (on !== collection) return [];
  const set = { ...withoutListed(row, field), ...withoutPreset(row, field) };
  return Object.keys(set).length === 0 ? [] : [{ kind: 'update', collection: 'service_permissions', set, where }];
}

function withoutListed(row: MetaRow, field: string): MetaRow {
  const listed = listOf(row, 'fields');
  return listed.includes(field) ? { fields: listed.filter((name) => name !== field).join(',') || null } : {};
}

function withoutPreset({ presets }: MetaRow, field: string): MetaRow {
  if (!isObject(presets) || !Object.hasOwn(presets, field)) return {};
  const { [field]: _, ...rest } = presets;
  return { presets: rest };
}
