// POST, PATCH and DELETE of relations: a foreign key, a metadata row, or both.

import { forbiddenField, invalidPayload } from '../../core/errors/service-error.js';
import type { MetaRow } from '../../core/schema/meta-row.js';
import type { ForeignKeyAction, RawForeignKey } from '../../core/schema/raw.js';
import type { Collection, ColumnField, Relation } from '../../core/schema/schema.js';
import type { StructureChange } from '../../core/vendor/ddl.js';
import { describeRelation, describeRelationMeta } from './describe-relation.js';
import { findRelation, findTableCollection, isOwnField, type TableCollection } from './find-structure.js';
import { dropForeignKey, type ForeignKeyActions, foreignKeySpec, parseAction } from './foreign-key.js';
import { asObject, asOptionalObject, asText, isSame, type Payload, refuseUnknown, withoutSame } from './payload.js';
import { checkRelationMeta, parseRelationMeta, relationMetaDefaults } from './relation-meta.js';
import { simulateChange } from './simulate-change.js';
import type { StructureState } from './structure-state.js';
import type { Plan, RowChange } from './unit.js';

const known = ['collection', 'field', 'related_collection', 'schema', 'meta'];

export const planCreateRelation =
  (value: unknown): Plan =>
  (state) => {
    const payload = asObject(value, 'A relation');
    refuseUnknown(payload, known, 'a relation');
    const { many, field } = findManySide(state, asText(payload.collection, '"collection"'), asText(payload.field, '"field"'));
    const one = findOneSide(state, payload.related_collection);
    if (findRelation(state.schema, many.name, field.name)) throw invalidPayload(`Field "${field.name}" has a relation already.`);
    const meta = asOptionalObject(payload.meta, '"meta"');
    const names = { many_collection: many.name, many_field: field.name, one_collection: one?.name ?? null };
    const row = meta === null ? null : { ...relationMetaDefaults, ...parseRelationMeta(meta, names), ...names };
    if (row !== null) checkRelationMeta(state, row, many, one);
    const changes = one === null || payload.schema === null ? [] : [addForeignKey(state, many, field, one, readActions(payload, null))];
    if (changes.length === 0 && row === null) throw invalidPayload('A relation without a foreign key needs meta.');
    return { changes, rows: row === null ? [] : [{ kind: 'insert', collection: 'service_relations', row }] };
  };

interface ManySide {
  readonly many: TableCollection;
  readonly field: ColumnField;
}

function findManySide(state: StructureState, collection: string, name: string): ManySide {
  const many = state.schema.collections.get(collection);
  const field = many?.fields.get(name);
  if (!many?.table || many.table.kind === 'view') throw invalidPayload(`Collection "${collection}" does not exist.`);
  if (field?.kind !== 'column') throw invalidPayload(`Field "${name}" does not exist in collection "${collection}".`);
  if (field.column.primaryKey && many.primaryKey.length === 1)
    throw invalidPayload(`Field "${name}" is the primary key and cannot hold a relation.`);
  return { many: findTableCollection(state.schema, collection), field };
}

/** null: any collection. */
function findOneSide(state: StructureState, name: unknown): TableCollection | null {
  if (name === null || name === undefined) return null;
  const one = typeof name === 'string' ? state.schema.collections.get(name) : undefined;
  if (!one?.table || one.table.kind === 'view') throw invalidPayload(`The related collection "${String(name)}" does not exist.`);
  return findTableCollection(state.schema, one.name);
}

function addForeignKey(
  state: StructureState,
  many: TableCollection,
  field: ColumnField,
  one: TableCollection,
  actions: ForeignKeyActions,
): StructureChange {
  const [key, ...more] = one.primaryKey;
  if (key === undefined || more.length > 0) throw invalidPayload(`Collection "${one.name}" has no primary key of one field to point at.`);
  const { table } = many;
  return { kind: 'add-foreign-key', table, foreignKey: foreignKeySpec(state.database, table, field.column, one.table, key, actions) };
}

const describing = ['table', 'column', 'foreign_key_table', 'foreign_key_column', 'constraint_name', 'foreign_key_schema'];

/** `present`: the relation as it is; its other keys may be sent back as they are. */
function readActions(payload: Payload, present: Payload | null): ForeignKeyActions {
  const schema = asOptionalObject(payload.schema, '"schema"') ?? {};
  refuseUnknown(schema, ['on_delete', 'on_update', ...describing], 'schema');
  const changed = present === null ? {} : withoutSame(schema, present);
  const fixed = describing.find((key) => Object.hasOwn(changed, key));
  if (fixed !== undefined) throw invalidPayload(`schema.${fixed} cannot be changed.`);
  const action = (key: 'on_delete' | 'on_update'): ForeignKeyAction => parseAction(key, schema[key] ?? present?.[key] ?? 'NO ACTION');
  return { onDelete: action('on_delete'), onUpdate: action('on_update') };
}

function lookUpRelation(state: StructureState, collection: string, field: string): Relation {
  const relation = findRelation(state.schema, collection, field);
  if (relation === undefined) throw forbiddenField(field, collection);
  if (isOwnField(state.rules.definitions, collection, field)) throw invalidPayload(`The relation of "${field}" belongs to the service.`);
  return relation;
}

export const planUpdateRelation =
  (collection: string, field: string, value: unknown): Plan =>
  (state) => {
    const relation = lookUpRelation(state, collection, field);
    const payload = asObject(value, 'A relation');
    refuseUnknown(payload, known, 'a relation');
    const present = describeRelation(state.schema, relation);
    for (const key of ['collection', 'field', 'related_collection'] as const) {
      if (payload[key] !== undefined && payload[key] !== present[key]) throw invalidPayload(`"${key}" of a relation cannot be changed.`);
    }
    const { many, field: column } = findManySide(state, collection, field);
    const one = findOneSide(state, relation.related);
    return { changes: changeForeignKey(state, many, column, one, payload), rows: changeMeta(state, relation, payload, many, one) };
  };

function changeForeignKey(
  state: StructureState,
  many: TableCollection,
  field: ColumnField,
  one: TableCollection | null,
  payload: Payload,
): readonly StructureChange[] {
  const present = foreignKeyOf(many, field.name);
  if (payload.schema === undefined || one === null) return [];
  if (payload.schema === null) return present === undefined ? [] : [dropForeignKey(many.table, present)];
  const described = present === undefined ? null : { on_delete: present.onDelete, on_update: present.onUpdate };
  const relation = findRelation(state.schema, many.name, field.name);
  const shown = relation === undefined ? null : describeRelation(state.schema, relation).schema;
  const actions = readActions(payload, shown ?? described);
  if (present === undefined) return [addForeignKey(state, many, field, one, actions)];
  if (isSame(actions, { onDelete: present.onDelete, onUpdate: present.onUpdate })) return [];
  const drop = dropForeignKey(many.table, present);
  // The new key may bear the old one's name.
  const database = simulateChange(state.database, drop, state.rules.dialect.ddl);
  return [drop, addForeignKey({ ...state, database }, many, field, one, actions)];
}

const foreignKeyOf = (many: TableCollection, field: string): RawForeignKey | undefined =>
  many.table.foreignKeys.find((key) => key.columns.length === 1 && key.columns[0] === field);

function changeMeta(
  state: StructureState,
  relation: Relation,
  payload: Payload,
  many: Collection,
  one: Collection | null,
): readonly RowChange[] {
  const meta = asOptionalObject(payload.meta, '"meta"');
  if (meta === null) return [];
  const where = { many_collection: relation.collection, many_field: relation.field };
  const names = { ...where, one_collection: relation.related };
  const set = parseRelationMeta(meta, relation.meta === null ? { id: null, ...names } : describeRelationMeta(relation.meta));
  const row: MetaRow = { ...relationMetaDefaults, ...relation.meta, ...set, ...names };
  checkRelationMeta(state, row, many, one);
  if (relation.meta === null) return [{ kind: 'insert', collection: 'service_relations', row }];
  return Object.keys(set).length === 0 ? [] : [{ kind: 'update', collection: 'service_relations', set, where }];
}

export const planDeleteRelation =
  (collection: string, field: string): Plan =>
  (state) => {
    lookUpRelation(state, collection, field);
    const many = findTableCollection(state.schema, collection);
    const key = foreignKeyOf(many, field);
    return {
      changes: key === undefined ? [] : [dropForeignKey(many.table, key)],
      rows: [{ kind: 'delete', collection: 'service_relations', where: { many_collection: collection, many_field: field } }],
    };
  };
