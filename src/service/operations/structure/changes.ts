// Changes of collections, fields, relations and indexes, for administrators. Every change can be previewed.

import type { PlainObject } from '../../../core/util/plain-object.js';
import { applyDiff } from '../../structure/migrate-structure.js';
import * as structure from '../../structure/structure.js';
import { type Operation, operation } from '../operation.js';
import {
  answer,
  boolean,
  choice,
  described,
  document,
  inPayload,
  json,
  list,
  type Members,
  nothing,
  type ObjectOf,
  object,
  oneOrMany,
  optional,
  readMembers,
  type Shape,
  text,
  withDefault,
} from '../shape.js';
import {
  collectionAnswer,
  collectionInput,
  fieldAnswer,
  fieldInput,
  indexAnswer,
  indexInput,
  relationAnswer,
  relationInput,
} from './shapes.js';

const tag = 'structure';
const name = text();
const inField = { collection: name, field: name };

interface ChangeDefinition<M extends Members, T> {
  readonly id: string;
  /** What a preview calls it. */
  readonly change: string;
  readonly summary: string;
  readonly input: M;
  readonly output: Shape<T>;
  ask(input: ObjectOf<M>): structure.Change<T>;
}

/** A change of structure: the operation that carries it out, and the change that a preview of the same input describes. */
export interface StructureChange {
  readonly change: string;
  readonly operation: Operation;
  ask(values: PlainObject): structure.Change<unknown>;
}

function changing<M extends Members, T>({ change, ask, ...facts }: ChangeDefinition<M, T>): StructureChange {
  return {
    change,
    // No transaction holds a change of structure on every vendor.
    operation: operation({
      ...facts,
      tag,
      open: ['administrators'],
      once: 'apart',
      run: ({ deps, caller }, input) => deps.structure.run(caller, ask(input)),
    }),
    ask: (values) => ask(readMembers(facts.input, values, inPayload)),
  };
}

export const createCollection = changing({
  id: 'createCollection',
  change: 'create_collection',
  summary: 'Create collections',
  input: { data: oneOrMany(collectionInput) },
  output: oneOrMany(collectionAnswer),
  ask: ({ data }) => structure.createCollections(data),
});

export const updateCollection = changing({
  id: 'updateCollection',
  change: 'update_collection',
  summary: 'Update a collection',
  input: { collection: name, data: collectionInput },
  output: collectionAnswer,
  ask: ({ collection, data }) => structure.updateCollection(collection, data),
});

export const updateCollections = changing({
  id: 'updateCollections',
  change: 'update_collections',
  summary: 'Update several collections',
  input: { data: list(collectionInput) },
  output: list(collectionAnswer),
  ask: ({ data }) => structure.updateCollections(data),
});

export const deleteCollection = changing({
  id: 'deleteCollection',
  change: 'delete_collection',
  summary: 'Delete a collection with all its items',
  input: { collection: name },
  output: answer({ collection: name }, 'delete_collection'),
  ask: ({ collection }) => structure.deleteCollection(collection),
});

export const createField = changing({
  id: 'createField',
  change: 'create_field',
  summary: 'Create a field',
  input: { collection: name, data: fieldInput },
  output: fieldAnswer,
  ask: ({ collection, data }) => structure.createField(collection, data),
});

export const updateField = changing({
  id: 'updateField',
  change: 'update_field',
  summary: 'Update a field',
  input: { ...inField, data: fieldInput },
  output: fieldAnswer,
  ask: ({ collection, field, data }) => structure.updateField(collection, field, data),
});

export const updateFields = changing({
  id: 'updateFields',
  change: 'update_fields',
  summary: 'Update several fields',
  input: { collection: name, data: list(fieldInput) },
  output: list(fieldAnswer),
  ask: ({ collection, data }) => structure.updateFields(collection, data),
});

export const deleteField = changing({
  id: 'deleteField',
  change: 'delete_field',
  summary: 'Delete a field with all its data',
  input: inField,
  output: answer(inField, 'delete_field'),
  ask: ({ collection, field }) => structure.deleteField(collection, field),
});

export const createRelation = changing({
  id: 'createRelation',
  change: 'create_relation',
  summary: 'Create a relation',
  input: { data: relationInput },
  output: relationAnswer,
  ask: ({ data }) => structure.createRelation(data),
});

export const updateRelation = changing({
  id: 'updateRelation',
  change: 'update_relation',
  summary: 'Update a relation',
  input: { ...inField, data: relationInput },
  output: relationAnswer,
  ask: ({ collection, field, data }) => structure.updateRelation(collection, field, data),
});

export const deleteRelation = changing({
  id: 'deleteRelation',
  change: 'delete_relation',
  summary: 'Delete a relation',
  input: inField,
  output: answer(inField, 'delete_relation'),
  ask: ({ collection, field }) => structure.deleteRelation(collection, field),
});

export const createIndex = changing({
  id: 'createIndex',
  change: 'create_index',
  summary: 'Create an index',
  input: { collection: name, data: indexInput },
  output: indexAnswer,
  ask: ({ collection, data }) => structure.createIndex(collection, data),
});

export const deleteIndex = changing({
  id: 'deleteIndex',
  change: 'delete_index',
  summary: 'Drop an index that no key and no constraint rests on',
  input: { collection: name, name },
  output: answer({ collection: name, name }, 'delete_index'),
  ask: (input) => structure.deleteIndex(input.collection, input.name),
});

export const applySnapshot = changing({
  id: 'apply',
  change: 'apply',
  summary: 'Carry a diff out',
  input: {
    data: document({ members: { hash: text(), diff: document() } }),
    force: described(withDefault(boolean, false), 'Also if the structure has changed since.'),
    lossy: described(
      optional(boolean),
      'Also what takes values with it. Without it, what the diff deletes is deleted, and no type becomes narrower; with `false`, neither.',
    ),
  },
  output: nothing,
  ask: ({ data, force, lossy }) => applyDiff(data, { force, lossy: force || lossy }),
});

/** The changes that a list may hold. */
const single: readonly StructureChange[] = [
  createCollection,
  updateCollection,
  updateCollections,
  deleteCollection,
  createField,
  updateField,
  updateFields,
  deleteField,
  createRelation,
  updateRelation,
  deleteRelation,
  createIndex,
  deleteIndex,
];

const listed = object({
  change: choice(single.map(({ change }) => change)),
  collection: optional(name),
  field: optional(name),
  name: optional(name),
  data: optional(json),
});

/** Each change is planned on the structure that those before it leave. */
export const changeStructure = changing({
  id: 'changeStructure',
  change: 'changes',
  summary: 'Carry several changes of structure out, in their order, all or none',
  input: { data: list(listed, { min: 1, max: 200, entry: 'Change' }) },
  output: nothing,
  ask: ({ data }) => ({
    planners: data.flatMap(({ change, ...values }) => single.find((each) => each.change === change)?.ask(values).planners ?? []),
    answer: () => undefined,
  }),
});

export const structureChanges: readonly StructureChange[] = [...single, applySnapshot, changeStructure];

const changeNames = structureChanges.map(({ change }) => change);

/** REST asks for it by the header `Prefer: dry-run` of the change itself. */
export const previewStructure = operation({
  id: 'previewStructure',
  tag,
  summary: 'What a change of structure would do; nothing is changed',
  input: {
    change: choice(changeNames, 'structure_change'),
    collection: optional(name),
    field: optional(name),
    name: optional(name),
    data: optional(json),
    force: withDefault(boolean, false),
    lossy: withDefault(boolean, false),
  },
  output: answer<structure.Preview>({ statements: list(text()), affected: document(), breaks: list(document()) }, null),
  open: ['administrators'],
  once: 'never',
  run: ({ deps }, { change: asked, ...values }) => {
    const change = structureChanges.find((entry) => entry.change === asked);
    if (change === undefined) throw new Error(`there is no change ${asked}`);
    return deps.structure.preview(change.ask(values));
  },
});
