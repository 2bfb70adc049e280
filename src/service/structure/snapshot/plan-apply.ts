// The planners that apply a diff, in an order in which each finds what it needs: relations are deleted first and created last, tables are
// created before the fields of others.

import { invalidPayload } from '../../../core/errors/service-error.js';
import { isPlainObject } from '../../../core/util/plain-object.js';
import { asArray, asObject, type Payload } from '../describe/payload.js';
import { emptyChangeSet, type Planner } from '../plan/change-set.js';
import { createTable, insertCollectionRow } from '../plan/columns/create-table.js';
import { findCollection, findTableCollection } from '../plan/find-structure.js';
import { planDeleteCollection, planUpdateCollection } from '../plan/plan-collection.js';
import { newCollectionName } from '../plan/plan-create-collection.js';
import { planCreateField } from '../plan/plan-create-field.js';
import { planDeleteField } from '../plan/plan-delete-field.js';
import { planCreateRelation, planDeleteRelation, planUpdateRelation } from '../plan/plan-relation.js';
import { planUpdateField } from '../plan/plan-update-field.js';
import type { StructureState } from '../plan/structure-state.js';
import { changeIndexes, createIndex } from './change-indexes.js';
import { planAddKeys, planDropKeys } from './composite-keys.js';
import type { DiffEntry } from './diff-snapshots.js';
import { type Edit, editedParts, type ParsedDiff } from './parse-diff.js';
import { readCollection, readField, readRelation } from './snapshot.js';
import { draftTable, fieldPayload, indexLists, makeableType } from './snapshot-drafts.js';

export function planApply(diff: ParsedDiff): readonly Planner[] {
  const made = new Set(diff.collections.filter(({ diff: entries }) => entries[0]?.kind === 'N').map(({ collection }) => collection));
  const gone = new Set(diff.collections.filter(({ diff: entries }) => entries[0]?.kind === 'D').map(({ collection }) => collection));
  const ownFields = diff.fields.filter(({ collection }) => made.has(collection));
  const otherFields = diff.fields.filter(({ collection }) => !made.has(collection) && !gone.has(collection));
  const otherRelations = diff.relations.filter(({ collection }) => !gone.has(collection));
  const keys = compositeKeys(diff.collections.filter(({ collection }) => !gone.has(collection)));
  return [
    ...keys.filter(({ collection }) => !made.has(collection)).map(({ collection, wanted }) => planDropKeys(collection, wanted)),
    ...kind(otherRelations, 'D').map(({ edit }) => planGoneRelation(edit.collection, edit.field)),
    ...kind(diff.collections, 'N').map(({ entry }) => planNewCollection(objectIn(entry), ownFields)),
    ...edited(diff.collections).map(planEditedCollection),
    ...kind(otherFields, 'N').map(({ edit, entry }) => planCreateField(edit.collection, fieldPayload(readField(objectIn(entry))))),
    ...edited(otherFields).map(planEditedField),
    ...kind(otherFields, 'D').map(({ edit }) => planDeleteField(edit.collection, edit.field)),
    ...kind(diff.collections, 'D').map(({ edit }) => planDeleteCollection(edit.collection)),
    ...keys.map(({ collection, wanted }) => planAddKeys(collection, wanted)),
    ...kind(otherRelations, 'N').map(({ entry }) => planNewRelation(objectIn(entry))),
    ...edited(otherRelations).map(planEditedRelation),
  ];
}

/** The complete lists of composite foreign keys, for the collections whose edits include one. */
function compositeKeys(edits: readonly Edit[]): readonly { readonly collection: string; readonly wanted: readonly unknown[] }[] {
  return edits.flatMap(({ collection, diff }) =>
    diff.flatMap((entry) => {
      const { schema } = entry.kind === 'N' ? readCollection(objectIn(entry)) : editedParts([entry]);
      const keys = isPlainObject(schema) ? schema.foreign_keys : undefined;
      return keys === undefined || keys === null ? [] : [{ collection, wanted: asArray(keys, 'schema.foreign_keys') }];
    }),
  );
}

function kind(edits: readonly Edit[], wanted: 'N' | 'D'): readonly { readonly edit: Edit; readonly entry: DiffEntry }[] {
  return edits.flatMap((edit) => edit.diff.filter((entry) => entry.kind === wanted).map((entry) => ({ edit, entry })));
}

const edited = (edits: readonly Edit[]): readonly Edit[] => edits.filter(({ diff }) => diff.some((entry) => entry.kind === 'E'));

const objectIn = (entry: DiffEntry): Payload => asObject(entry.kind === 'D' ? entry.lhs : entry.rhs, 'The object of a diff');

const planNewCollection =
  (entry: Payload, fields: readonly Edit[]): Planner =>
  (state) => {
    const object = readCollection(entry);
    const name = newCollectionName(state, object.collection);
    if (object.schema === null) return { changes: [], rows: [insertCollectionRow(name, object.meta ?? {})] };
    const own = kind(fields, 'N')
      .map((field) => readField(objectIn(field.entry)))
      .filter((field) => field.collection === name);
    const draft = draftTable(object, own, state.ddl);
    const created = createTable(state, draft);
    const [create] = created.changes;
    const table = create?.table ?? { schema: null, name };
    return {
      ...created,
      changes: [...created.changes, ...indexLists(object.schema, 'indexes').map((columns) => createIndex(table, columns, false))],
    };
  };

/** Changes the metadata and the indexes over several columns; a primary key cannot be changed. */
const planEditedCollection =
  ({ collection, diff }: Edit): Planner =>
  (state) => {
    const { meta, schema, ...others } = editedParts(diff);
    const keys = schema === undefined ? {} : asObject(schema, '"schema"');
    if (Object.keys(others).length > 0 || keys.primary_key !== undefined) {
      throw invalidPayload(`Of collection "${collection}" only meta and indexes can be changed.`);
    }
    const changed = meta === undefined ? emptyChangeSet : planUpdateCollection(collection, { meta })(state);
    const indexes = schema === undefined ? [] : changeIndexes(findTableCollection(state, collection).table, keys);
    return { ...changed, changes: [...changed.changes, ...indexes] };
  };

function planEditedField({ collection, field, diff }: Edit): Planner {
  const { type, ...parts } = editedParts(diff);
  return planUpdateField(collection, field, typeof type === 'string' ? { ...parts, type: makeableType(type) } : parts);
}

/** `planAddKeys` has added a composite foreign key before; what remains of its relation is the metadata. */
const planNewRelation =
  (entry: Payload): Planner =>
  (state) => {
    const { collection, field, related_collection, schema, meta } = readRelation(entry);
    if (isReference(state, collection, field)) return planUpdateRelation(collection, field, { meta })(state);
    const actions = schema === null ? null : { on_delete: schema.on_delete, on_update: schema.on_update };
    return planCreateRelation({ collection, field, related_collection, schema: actions, meta })(state);
  };

/** A relation cannot change its target: that is another relation. */
function planEditedRelation({ collection, field, diff }: Edit): Planner {
  const { related_collection: related, ...parts } = editedParts(diff);
  if (related !== undefined) throw invalidPayload(`The relation of "${field}" in "${collection}" points elsewhere: delete it first.`);
  return planUpdateRelation(collection, field, parts);
}

/** `planDropKeys` drops a composite foreign key, so here only its metadata row is deleted. */
const planGoneRelation =
  (collection: string, field: string): Planner =>
  (state) => {
    if (findCollection(state.schema, collection).fields.get(field)?.kind === 'column') return planDeleteRelation(collection, field)(state);
    const where = { many_collection: collection, many_field: field };
    return { changes: [], rows: [{ kind: 'delete', collection: 'service_relations', where }] };
  };

const isReference = ({ schema }: StructureState, collection: string, field: string): boolean =>
  schema.collections.get(collection)?.fields.get(field)?.kind === 'reference';
