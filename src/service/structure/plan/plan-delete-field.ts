// DELETE /fields/{collection}/{field}: the column with its data, its metadata, and whatever refers to it: foreign keys, relations, the
// settings of its collection, permissions.

import { refusal } from '../../../core/errors/refusals.js';
import { forbiddenField, invalidPayload, unreachable } from '../../../core/errors/service-error.js';
import { listOf, type MetaRow, textOf } from '../../../core/schema/meta-row.js';
import type { Field } from '../../../core/schema/schema.js';
import type { StructureChange } from '../../../core/vendor/ddl.js';
import type { Planner, RowChange } from './change-set.js';
import { cleanGrants } from './clean-grants.js';
import { findCollection, findField, findRelation, findTableCollection, isServiceField } from './find-structure.js';
import { dropForeignKey, dropKeysPointingAt } from './foreign-key.js';
import { pinRelation } from './relation-meta.js';
import type { StructureState } from './structure-state.js';

export const planDeleteField =
  (collection: string, name: string): Planner =>
  (state) => {
    const field = findField(findCollection(state.schema, collection), name);
    if (isServiceField(state.system.definitions, collection, name)) throw forbiddenField(name, collection);
    return {
      changes: dropColumn(state, field),
      rows: [
        { kind: 'delete', collection: 'service_fields', where: { collection, field: name } },
        { kind: 'update', collection: 'service_fields', set: { group: null }, where: { collection, group: name } },
        ...relationRows(state, field),
        ...collectionRows(state, collection, name),
        ...cleanGrants(state, collection, name),
      ],
    };
  };

function dropColumn(state: StructureState, field: Field): readonly StructureChange[] {
  if (field.kind !== 'column' && field.kind !== 'reference') return [];
  const { table } = findTableCollection(state, field.collection);
  if (field.kind === 'reference') {
    const key = findRelation(state.schema, field.collection, field.name)?.foreignKey ?? null;
    return key === null ? [] : [dropForeignKey(table, key)];
  }
  if (field.column.primaryKey) throw invalidPayload(refusal('primary_key_stays', { field: field.name }));
  const own = table.foreignKeys.filter((key) => key.columns.includes(field.name)).map((key) => dropForeignKey(table, key));
  return [...dropKeysPointingAt(state.database, table, field.name), ...own, { kind: 'drop-column', table, column: field.name }];
}

function relationRows(state: StructureState, field: Field): readonly RowChange[] {
  const { collection, name } = field;
  switch (field.kind) {
    case 'column':
    case 'reference':
      return [name, ...referencesOver(state, field)].flatMap((gone) =>
        state.metadata.relations.flatMap((row) => relationOfColumn(row, collection, gone)),
      );
    case 'relation': {
      const where = { one_collection: collection, one_field: name };
      return [
        { kind: 'update', collection: 'service_relations', set: { one_field: null }, where },
        ...pinRelation(state, field.relation, null),
      ];
    }
    case 'presentation':
      return [];
    default:
      return unreachable(field);
  }
}

/** The fields of composite foreign keys that include the column: the database drops the key with any of its columns. */
function referencesOver(state: StructureState, { collection, name }: Field): readonly string[] {
  const fields = [...findCollection(state.schema, collection).fields.values()];
  return fields.flatMap((field) =>
    field.kind === 'reference' && field.relation.pairs.some(({ column }) => column === name) ? field.name : [],
  );
}

/** Deletes the relation of the column and the alias on its other side; clears the column where a relation uses it for order or junction. */
function relationOfColumn(row: MetaRow, collection: string, name: string): readonly RowChange[] {
  if (row.many_collection !== collection) return [];
  const where = { many_collection: collection, many_field: row.many_field };
  if (row.many_field === name || row.one_collection_field === name) {
    return [{ kind: 'delete', collection: 'service_relations', where }, ...deleteAlias(row)];
  }
  const named = ['sort_field', 'junction_field'].filter((key) => row[key] === name);
  if (named.length === 0) return [];
  return [{ kind: 'update', collection: 'service_relations', set: Object.fromEntries(named.map((key) => [key, null])), where }];
}

export function deleteAlias(row: MetaRow): readonly RowChange[] {
  const [collection, field] = [textOf(row, 'one_collection'), textOf(row, 'one_field')];
  if (collection === null || field === null) return [];
  return [{ kind: 'delete', collection: 'service_fields', where: { collection, field } }];
}

function collectionRows(state: StructureState, collection: string, field: string): readonly RowChange[] {
  const row = state.metadata.collections.find((candidate) => candidate.collection === collection);
  if (row === undefined) return [];
  const copied = listOf(row, 'item_duplication_fields');
  const set = {
    ...(row.sort_field === field ? { sort_field: null } : {}),
    ...(row.archive_field === field ? { archive_field: null } : {}),
    ...(copied.includes(field) ? { item_duplication_fields: copied.filter((name) => name !== field) } : {}),
  };
  return Object.keys(set).length === 0 ? [] : [{ kind: 'update', collection: 'service_collections', set, where: { collection } }];
}
