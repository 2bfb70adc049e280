// The `meta` object of a relation, a row of service_relations: which keys and values a payload may hold, and whether the fields and
// collections it names exist.

import { refusal } from '../../../core/errors/refusals.js';
import { invalidPayload } from '../../../core/errors/service-error.js';
import { listOf, type MetaRow, textOf } from '../../../core/schema/meta-row.js';
import type { Collection, OneToMany } from '../../../core/schema/schema.js';
import { askedOfMeta } from '../describe/described.js';
import { type Payload, refuseUnknown, withoutSame } from '../describe/payload.js';
import { oneOf, parseValues, text, textList, type ValueRule } from '../describe/value-rules.js';
import type { RowChange } from './change-set.js';
import { checkFieldName } from './columns/check-sql-text.js';
import { findRelation } from './find-structure.js';
import { refuseCrossing } from './foreign-key.js';
import type { StructureState } from './structure-state.js';

const rules: Readonly<Record<string, ValueRule>> = {
  one_field: text(64),
  one_collection_field: text(64),
  one_allowed_collections: textList,
  junction_field: text(64),
  sort_field: text(64),
  one_deselect_action: (value) => value !== null && oneOf(['nullify', 'delete'])(value),
};

const readOnly = ['many_collection', 'many_field', 'one_collection'];

export const relationMetaDefaults: MetaRow = {
  one_field: null,
  one_collection_field: null,
  one_allowed_collections: null,
  junction_field: null,
  sort_field: null,
  one_deselect_action: 'nullify',
};

/** The columns to write: the keys of `payload` that differ from `present`, checked. */
export function parseRelationMeta(payload: Payload, present: Payload): MetaRow {
  const wanted = askedOfMeta(payload);
  refuseUnknown(wanted, [...readOnly, ...Object.keys(rules)], 'meta');
  const asked = withoutSame(wanted, present);
  const fixed = readOnly.find((key) => Object.hasOwn(asked, key));
  if (fixed !== undefined) throw invalidPayload(`meta.${fixed} cannot be chosen or changed.`);
  const { one_allowed_collections: allowed, ...rest } = parseValues(asked, rules, 'meta');
  return allowed === undefined ? rest : { ...rest, one_allowed_collections: Array.isArray(allowed) ? allowed.join(',') || null : null };
}

/**
 * Checks a row before it is stored. `many` and `one` are the two sides (`one` is null for a many-to-any); `addsKey` says that the same
 * change adds a foreign key.
 */
export function checkRelationMeta(state: StructureState, row: MetaRow, many: Collection, one: Collection | null, addsKey: boolean): void {
  for (const key of ['junction_field', 'sort_field', 'one_collection_field']) {
    const name = textOf(row, key);
    const kind = name === null ? 'column' : many.fields.get(name)?.kind;
    if (kind !== 'column' && !(key === 'junction_field' && kind === 'reference'))
      throw invalidPayload(`meta.${key} names no field of "${many.name}": "${name}".`);
  }
  if (one === null) checkAny(state, row, many);
  else checkAlias(state, row, many, one, addsKey);
}

function checkAny(state: StructureState, row: MetaRow, many: Collection): void {
  const allowed = listOf(row, 'one_allowed_collections');
  if (textOf(row, 'one_collection_field') === null || allowed.length === 0) {
    throw invalidPayload('A relation to any collection needs meta.one_collection_field and meta.one_allowed_collections.');
  }
  for (const name of allowed) {
    const target = state.schema.collections.get(name)?.table;
    if (!target) throw invalidPayload(`meta.one_allowed_collections names no collection: "${name}".`);
    refuseCrossing(many.table ?? undefined, target);
  }
}

/**
 * Refuses a `one_field` that another field has, so that a name never moves from one relation to another. The name of an alias that only
 * a foreign key implies is free if the change adds a second key from the same collection, because that renames the implied alias anyway:
 * `books` becomes `books_by_author`.
 */
function checkAlias(state: StructureState, row: MetaRow, many: Collection, one: Collection, addsKey: boolean): void {
  const name = textOf(row, 'one_field');
  if (name === null) return;
  checkFieldName(name);
  const taken = one.fields.get(name);
  const isOwn = taken?.kind === 'relation' && taken.relation.related === many.name && taken.relation.relatedField === row.many_field;
  const isStated = state.metadata.relations.some((other) => other.one_collection === one.name && other.one_field === name);
  const isFreed = taken?.kind === 'relation' && !isStated && addsKey && taken.relation.related === many.name;
  if (taken !== undefined && taken.kind !== 'presentation' && !isOwn && !isFreed)
    throw invalidPayload(refusal('list_field_taken', { collection: one.name, field: name }));
}

/**
 * Stores a relation that only a foreign key implies as a metadata row, so that it keeps its alias whatever is added later. Nothing if it
 * has a row already. `alias` is null if no field lists the relation.
 */
export function pinRelation(state: StructureState, relation: OneToMany, alias: string | null): readonly RowChange[] {
  const found = findRelation(state.schema, relation.related, relation.relatedField);
  if (found === undefined || found.stated) return [];
  const { id: _, ...row } = found.meta;
  return [{ kind: 'insert', collection: 'service_relations', row: { ...row, one_field: alias } }];
}
