// A diff as plans, in an order in which each finds what it needs: relations go first and come last, tables come before their fields.

import { invalidPayload } from '../../core/errors/service-error.js';
import { changeIndexes, createIndex } from './change-indexes.js';
import { planAddKeys, planDropKeys } from './composite-keys.js';
import { createTable, insertCollectionRow } from './create-table.js';
import type { DiffEntry } from './diff-snapshots.js';
import { findTableCollection } from './find-structure.js';
import { type Edit, editedParts, type ParsedDiff } from './parse-diff.js';
import { asArray, asObject, isObject, type Payload } from './payload.js';
import { planDeleteCollection, planUpdateCollection } from './plan-collection.js';
import { newCollectionName } from './plan-create-collection.js';
import { planCreateField } from './plan-create-field.js';
import { planDeleteField } from './plan-delete-field.js';
import { planCreateRelation, planDeleteRelation, planUpdateRelation } from './plan-relation.js';
import { planUpdateField } from './plan-update-field.js';
import { readCollection, readField, readRelation } from './snapshot.js';
import { draftTable, fieldPayload, indexLists, makeableType } from './snapshot-drafts.js';
import { emptyUnit, type Plan } from './unit.js';

export function planApply(diff: ParsedDiff): readonly Plan[] {
  const made = new Set(diff.collections.filter(({ diff: entries }) => entries[0]?.kind === 'N').map(({ collection }) => collection));
  const gone = new Set(diff.collections.filter(({ diff: entries }) => entries[0]?.kind === 'D').map(({ collection }) => collection));
  const ownFields = diff.fields.filter(({ collection }) => made.has(collection));
  const otherFields = diff.fields.filter(({ collection }) => !made.has(collection) && !gone.has(collection));
  const otherRelations = diff.relations.filter(({ collection }) => !gone.has(collection));
  const keys = compositeKeys(diff.collections.filter(({ collection }) => !gone.has(collection)));
  return [
    ...keys.filter(({ collection }) => !made.has(collection)).map(({ collection, wanted }) => planDropKeys(collection, wanted)),
    ...kind(otherRelations, 'D').map(({ edit }) => planDeleteRelation(edit.collection, edit.field)),
    ...kind(diff.collections, 'N').map(({ entry }) => planNewCollection(objectIn(entry), ownFields)),
    ...edited(diff.collections).map(planEditedCollection),
    ...kind(otherFields, 'N').map(({ edit, entry }) => planCreateField(edit.collection, fieldPayload(readField(objectIn(entry))))),
    ...edited(otherFields).map(planEditedField),
    ...kind(otherFields, 'D').map(({ edit }) => planDeleteField(edit.collection, edit.field)),
    ...kind(diff.collections, 'D').map(({ edit }) => planDeleteCollection(edit.collection)),
    ...kind(otherRelations, 'N').map(({ entry }) => planNewRelation(objectIn(entry))),
    ...edited(otherRelations).map(planEditedRelation),
    ...keys.map(({ collection, wanted }) => planAddKeys(collection, wanted)),
  ];
}

/** What foreign keys over several columns collections shall have, where that is said. */
function compositeKeys(edits: readonly Edit[]): readonly { readonly collection: string; readonly wanted: readonly unknown[] }[] {
  return edits.flatMap(({ collection, diff }) =>
    diff.flatMap((entry) => {
      const { schema } = entry.kind === 'N' ? readCollection(objectIn(entry)) : editedParts([entry]);
      const keys = isObject(schema) ? schema.foreign_keys : undefined;
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
  (entry: Payload, fields: readonly Edit[]): Plan =>
  (state) => {
    const object = readCollection(entry);
    const name = newCollectionName(state, object.collection);
    if (object.schema === null) return { changes: [], rows: [insertCollectionRow(name, object.meta ?? {})] };
    const own = kind(fields, 'N')
      .map((field) => readField(objectIn(field.entry)))
      .filter((field) => field.collection === name);
    const draft = draftTable(object, own, state.rules.dialect.ddl);
    const unit = createTable(state, draft);
    const [create] = unit.changes;
    const table = create?.table ?? { schema: null, name };
    return {
      ...unit,
      changes: [...unit.changes, ...indexLists(object.schema, 'indexes').map((columns) => createIndex(table, columns, false))],
    };
  };

/** Metadata, and indexes over several columns; a primary key stays what it is. */
const planEditedCollection =
  ({ collection, diff }: Edit): Plan =>
  (state) => {
    const { meta, schema, ...others } = editedParts(diff);
    const keys = schema === undefined ? {} : asObject(schema, '"schema"');
    if (Object.keys(others).length > 0 || keys.primary_key !== undefined) {
      throw invalidPayload(`Of collection "${collection}" only meta and indexes can be changed.`);
    }
    const unit = meta === undefined ? emptyUnit : planUpdateCollection(collection, { meta })(state);
    const indexes = schema === undefined ? [] : changeIndexes(findTableCollection(state.schema, collection).table, keys);
    return { ...unit, changes: [...unit.changes, ...indexes] };
  };

function planEditedField({ collection, field, diff }: Edit): Plan {
  const { type, ...parts } = editedParts(diff);
  return planUpdateField(collection, field, typeof type === 'string' ? { ...parts, type: makeableType(type) } : parts);
}

function planNewRelation(entry: Payload): Plan {
  const { collection, field, related_collection, schema, meta } = readRelation(entry);
  const actions = schema === null ? null : { on_delete: schema.on_delete, on_update: schema.on_update };
  return planCreateRelation({ collection, field, related_collection, schema: actions, meta });
}

/** Another target is another relation; metadata that goes leaves the foreign key. */
const planEditedRelation =
  ({ collection, field, diff }: Edit): Plan =>
  (state) => {
    const { related_collection: related, meta, ...parts } = editedParts(diff);
    if (related !== undefined) throw invalidPayload(`The relation of "${field}" in "${collection}" points elsewhere: delete it first.`);
    const unit = planUpdateRelation(collection, field, meta === undefined || meta === null ? parts : { ...parts, meta })(state);
    if (meta !== null) return unit;
    return {
      ...unit,
      rows: [...unit.rows, { kind: 'delete', collection: 'service_relations', where: { many_collection: collection, many_field: field } }],
    };
  };
