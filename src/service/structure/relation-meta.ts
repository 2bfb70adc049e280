// The `meta` part of a relation: what may be sent, and whether the names in it are there.

import { invalidPayload } from '../../core/errors/service-error.js';
import { listOf, type MetaRow, textOf } from '../../core/schema/meta-row.js';
import type { Collection } from '../../core/schema/schema.js';
import { checkFieldName } from './check-name.js';
import { type Payload, refuseUnknown, withoutSame } from './payload.js';
import type { StructureState } from './structure-state.js';
import { oneOf, parseValues, text, textList, type ValueRule } from './value-rules.js';

const rules: Readonly<Record<string, ValueRule>> = {
  one_field: text(64),
  one_collection_field: text(64),
  one_allowed_collections: textList,
  junction_field: text(64),
  sort_field: text(64),
  one_deselect_action: (value) => value !== null && oneOf(['nullify', 'delete'])(value),
};

const readOnly = ['id', 'many_collection', 'many_field', 'one_collection', 'system'];

export const relationMetaDefaults: MetaRow = {
  one_field: null,
  one_collection_field: null,
  one_allowed_collections: null,
  junction_field: null,
  sort_field: null,
  one_deselect_action: 'nullify',
};

/** Columns of a row to be written; only what differs from `present`. */
export function parseRelationMeta(payload: Payload, present: Payload): MetaRow {
  refuseUnknown(payload, [...readOnly, ...Object.keys(rules)], 'meta');
  const asked = withoutSame(payload, present);
  const fixed = readOnly.find((key) => Object.hasOwn(asked, key));
  if (fixed !== undefined) throw invalidPayload(`meta.${fixed} cannot be chosen or changed.`);
  const { one_allowed_collections: allowed, ...rest } = parseValues(asked, rules, 'meta');
  return allowed === undefined ? rest : { ...rest, one_allowed_collections: Array.isArray(allowed) ? allowed.join(',') || null : null };
}

/** `row` as it would be stored; `many` and `one` are the two sides, `one` null for a many-to-any. */
export function checkRelationMeta(state: StructureState, row: MetaRow, many: Collection, one: Collection | null): void {
  for (const key of ['junction_field', 'sort_field', 'one_collection_field']) {
    const name = textOf(row, key);
    if (name !== null && many.fields.get(name)?.kind !== 'column')
      throw invalidPayload(`meta.${key} names no field of "${many.name}": "${name}".`);
  }
  if (one === null) checkAny(state, row);
  else checkAlias(state, row, many, one);
}

function checkAny(state: StructureState, row: MetaRow): void {
  const allowed = listOf(row, 'one_allowed_collections');
  if (textOf(row, 'one_collection_field') === null || allowed.length === 0) {
    throw invalidPayload('A relation to any collection needs meta.one_collection_field and meta.one_allowed_collections.');
  }
  const unknown = allowed.find((name) => !state.schema.collections.get(name)?.table);
  if (unknown !== undefined) throw invalidPayload(`meta.one_allowed_collections names no collection: "${unknown}".`);
}

function checkAlias(state: StructureState, row: MetaRow, many: Collection, one: Collection): void {
  const name = textOf(row, 'one_field');
  if (name === null) return;
  checkFieldName(name);
  const taken = one.fields.get(name);
  const isOwn = taken?.kind === 'relation' && taken.relation.related === many.name && taken.relation.relatedField === row.many_field;
  const isStated =
    taken?.kind === 'relation' && state.metadata.relations.some((other) => other.one_collection === one.name && other.one_field === name);
  if (taken?.kind === 'column' || (isStated && !isOwn))
    throw invalidPayload(`meta.one_field is taken: "${one.name}" has a field "${name}".`);
}
