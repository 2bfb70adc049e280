// POST, PATCH and DELETE /relations: a foreign key, a row of service_relations, or both.

import { refusal } from '../../../core/errors/refusals.js';
import { forbiddenField, invalidPayload, type ServiceError } from '../../../core/errors/service-error.js';
import type { MetaRow } from '../../../core/schema/meta-row.js';
import type { ForeignKeyAction, RawForeignKey } from '../../../core/schema/raw.js';
import type { Collection, ColumnField, Relation } from '../../../core/schema/schema.js';
import type { StructureChange } from '../../../core/vendor/ddl.js';
import { describeRelation, describeRelationMeta } from '../describe/describe-relation.js';
import { askedOfKey } from '../describe/described.js';
import { onWire } from '../describe/on-wire.js';
import { asObject, asOptionalObject, asText, isSame, type Payload, refuseUnknown, withoutSame } from '../describe/payload.js';
import { emptyChangeSet, type Planner, type RowChange } from './change-set.js';
import { findRelation, findTableCollection, isServiceField, type TableCollection } from './find-structure.js';
import { changedKey, dropForeignKey, type ForeignKeyActions, foreignKeySpec, parseAction, refuseCrossing } from './foreign-key.js';
import { checkRelationMeta, parseRelationMeta, relationMetaDefaults } from './relation-meta.js';
import { simulateChange } from './simulate-change.js';
import type { StructureState } from './structure-state.js';

const known = ['collection', 'field', 'related_collection', 'schema', 'meta'];

export const planCreateRelation =
  (value: unknown): Planner =>
  (state) => {
    const payload = asObject(value, 'A relation');
    refuseUnknown(payload, known, 'a relation');
    const { many, field } = findColumn(state, asText(payload.collection, '"collection"'), asText(payload.field, '"field"'));
    const one = findOneSide(state, payload.related_collection);
    if (one !== null) refuseCrossing(many.table, one.table);
    if (findRelation(state.schema, many.name, field.name)) throw invalidPayload(refusal('relation_exists', { field: field.name }));
    const meta = asOptionalObject(payload.meta, '"meta"');
    const names = { many_collection: many.name, many_field: field.name, one_collection: one?.name ?? null };
    const row = meta === null ? null : { ...relationMetaDefaults, ...parseRelationMeta(meta, names), ...names };
    const addsKey = one !== null && payload.schema !== null;
    if (row !== null) checkRelationMeta(state, row, many, one, addsKey);
    const changes = !addsKey ? [] : [addForeignKey(state, many, field, one, readActions(payload, null))];
    if (changes.length === 0 && row === null) throw invalidPayload('A relation without a foreign key needs meta.');
    return { changes, rows: row === null ? [] : [{ kind: 'insert', collection: 'service_relations', row }] };
  };

interface ManySide {
  readonly many: TableCollection;
  readonly field: ColumnField;
}

/** The column that is to hold the relation. */
function findColumn(state: StructureState, collection: string, name: string): ManySide {
  const many = state.schema.collections.get(collection);
  const field = many?.fields.get(name);
  if (!many?.table || many.table.kind === 'view') throw invalidPayload(`Collection "${collection}" does not exist.`);
  if (field?.kind !== 'column') throw invalidPayload(`Field "${name}" does not exist in collection "${collection}".`);
  if (field.column.primaryKey && many.primaryKey.length === 1) throw invalidPayload(refusal('primary_key_no_relation', { field: name }));
  return { many: findTableCollection(state, collection), field };
}

/** null for a relation to any collection (many-to-any). */
function findOneSide(state: StructureState, name: unknown): TableCollection | null {
  if (name === null || name === undefined) return null;
  const one = typeof name === 'string' ? state.schema.collections.get(name) : undefined;
  if (!one?.table || (one.table.kind === 'view' && one.primaryKey.length === 0))
    throw invalidPayload(`The related collection "${String(name)}" does not exist.`);
  return one.table.kind === 'view' ? { ...one, table: one.table } : findTableCollection(state, one.name);
}

function addForeignKey(
  state: StructureState,
  many: TableCollection,
  field: ColumnField,
  one: TableCollection,
  actions: ForeignKeyActions,
): StructureChange {
  const [key, ...more] = one.table.primaryKey;
  if (one.table.namedKey !== undefined) throw invalidPayload(refusal('relation_without_key', { collection: one.name }));
  if (key === undefined || more.length > 0) throw invalidPayload(refusal('relation_without_key', { collection: one.name }));
  const { table } = many;
  return { kind: 'add-foreign-key', table, foreignKey: foreignKeySpec(state.database, table, field.column, one.table, key, actions) };
}

const describing = ['table', 'column', 'foreign_key_table', 'foreign_key_column', 'constraint_name'];

/** `present` describes the existing key. Its other properties may be sent back unchanged, but not changed. */
function readActions(payload: Payload, present: Payload | null): ForeignKeyActions {
  const schema = askedOfKey(asOptionalObject(payload.schema, '"schema"') ?? {});
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
  return relation;
}

export const planUpdateRelation =
  (collection: string, field: string, value: unknown): Planner =>
  (state) => {
    const relation = lookUpRelation(state, collection, field);
    const payload = asObject(value, 'A relation');
    refuseUnknown(payload, known, 'a relation');
    const present = onWire(describeRelation(state.schema, relation), state.schema);
    for (const key of ['collection', 'field', 'related_collection'] as const) {
      if (payload[key] !== undefined && payload[key] !== present[key]) throw invalidPayload(`"${key}" of a relation cannot be changed.`);
    }
    const many = findTableCollection(state, collection);
    const one = findOneSide(state, relation.related);
    const changes = changeForeignKey(state, many, relation, one, payload);
    if (!isServiceField(state.system.definitions, collection, field))
      return { changes, rows: changeMeta(state, relation, payload, many, one) };
    const meta = parseRelationMeta(asOptionalObject(payload.meta, '"meta"') ?? {}, describeRelationMeta(relation.meta));
    if (changes.length > 0 || Object.keys(meta).length > 0) throw ofService(field);
    return emptyChangeSet;
  };

const ofService = (field: string): ServiceError => invalidPayload(`The relation of "${field}" belongs to the service.`);

function changeForeignKey(
  state: StructureState,
  many: TableCollection,
  relation: Relation,
  one: TableCollection | null,
  payload: Payload,
): readonly StructureChange[] {
  const present = foreignKeyOf(many, relation);
  if (payload.schema === undefined || one === null) return [];
  if (payload.schema === null) return present === undefined ? [] : [dropForeignKey(many.table, present)];
  const described = present === undefined ? null : { on_delete: present.onDelete, on_update: present.onUpdate };
  const actions = readActions(payload, onWire(describeRelation(state.schema, relation), state.schema).schema ?? described);
  if (present === undefined) return [addForeignKey(state, many, findColumn(state, many.name, relation.field).field, one, actions)];
  if (isSame(actions, { onDelete: present.onDelete, onUpdate: present.onUpdate })) return [];
  const drop = dropForeignKey(many.table, present);
  // Without the old key in the catalogue, the new key can take its name.
  const database = simulateChange(state.database, drop, state.ddl);
  return [drop, { kind: 'add-foreign-key', table: many.table, foreignKey: changedKey(database, many.table, present, actions) }];
}

/** The relation's foreign key, or the key on its column if the metadata names another target than the key does. */
const foreignKeyOf = (many: TableCollection, { field, foreignKey }: Relation): RawForeignKey | undefined =>
  foreignKey ?? many.table.foreignKeys.find((key) => key.columns.length === 1 && key.columns[0] === field);

function changeMeta(
  state: StructureState,
  relation: Relation,
  payload: Payload,
  many: Collection,
  one: Collection | null,
): readonly RowChange[] {
  const meta = asOptionalObject(payload.meta, '"meta"');
  if (meta === null) return [];
  // An empty object states what the key implies; a whole one that is sent back does not.
  const where = { many_collection: relation.collection, many_field: relation.field };
  const names = { ...where, one_collection: relation.related };
  const set = parseRelationMeta(meta, describeRelationMeta(relation.meta));
  const { id: _, ...present } = relation.meta;
  const row: MetaRow = { ...relationMetaDefaults, ...present, ...set, ...names };
  checkRelationMeta(state, row, many, one, false);
  if (!relation.stated && Object.keys(set).length === 0 && Object.keys(meta).length > 0) return [];
  if (!relation.stated) return [{ kind: 'insert', collection: 'service_relations', row }];
  return Object.keys(set).length === 0 ? [] : [{ kind: 'update', collection: 'service_relations', set, where }];
}

export const planDeleteRelation =
  (collection: string, field: string): Planner =>
  (state) => {
    const relation = lookUpRelation(state, collection, field);
    if (isServiceField(state.system.definitions, collection, field)) throw ofService(field);
    const many = findTableCollection(state, collection);
    const key = foreignKeyOf(many, relation);
    return {
      changes: key === undefined ? [] : [dropForeignKey(many.table, key)],
      rows: [{ kind: 'delete', collection: 'service_relations', where: { many_collection: collection, many_field: field } }],
    };
  };
