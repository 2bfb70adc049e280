// Collections, fields and relations as a caller sees them.

import { may, mayOrGuest } from '../open-rule.js';
import { type Operation, operation } from '../operation.js';
import { described, list, optional, text } from '../shape.js';
import { collectionAnswer, fieldAnswer, indexAnswer, relationAnswer, suggestionAnswer } from './shapes.js';

const tag = 'structure';
const name = text();
const inField = { collection: name, field: name };

export const listCollections = operation({
  id: 'listCollections',
  tag,
  summary: 'List collections',
  input: { keys: described(optional(list(name)), 'Only the collections of these names.') },
  output: list(collectionAnswer),
  open: [mayOrGuest('read', 'service_collections')],
  once: 'never',
  run: async ({ deps, caller }, { keys }) => {
    const all = await deps.structure.visibleTo(caller).collections();
    return keys === null ? all : all.filter(({ collection }) => keys.includes(collection));
  },
});

export const readCollection = operation({
  id: 'readCollection',
  tag,
  summary: 'Read a collection',
  input: { name },
  output: collectionAnswer,
  open: [may('read', 'service_collections')],
  once: 'never',
  run: ({ deps, caller }, input) => deps.structure.visibleTo(caller).collection(input.name),
});

export const listFields = operation({
  id: 'listFields',
  tag,
  summary: 'List all fields',
  input: {},
  output: list(fieldAnswer),
  open: [mayOrGuest('read', 'service_fields')],
  once: 'never',
  run: ({ deps, caller }) => deps.structure.visibleTo(caller).fields(),
});

export const listFieldsOf = operation({
  id: 'listFieldsOf',
  tag,
  summary: 'List the fields of a collection',
  input: { collection: name },
  output: list(fieldAnswer),
  open: [may('read', 'service_fields')],
  once: 'never',
  run: ({ deps, caller }, { collection }) => deps.structure.visibleTo(caller).fieldsIn(collection),
});

export const readField = operation({
  id: 'readField',
  tag,
  summary: 'Read a field',
  input: inField,
  output: fieldAnswer,
  open: ['readers'],
  once: 'never',
  run: ({ deps, caller }, { collection, field }) => deps.structure.visibleTo(caller).field(collection, field),
});

export const listRelations = operation({
  id: 'listRelations',
  tag,
  summary: 'List relations',
  input: {},
  output: list(relationAnswer),
  open: [mayOrGuest('read', 'service_relations')],
  once: 'never',
  run: ({ deps, caller }) => deps.structure.visibleTo(caller).relations(),
});

export const listRelationsOf = operation({
  id: 'listRelationsOf',
  tag,
  summary: 'List the relations of a collection',
  input: { collection: name },
  output: list(relationAnswer),
  open: [may('read', 'service_relations')],
  once: 'never',
  run: ({ deps, caller }, { collection }) => deps.structure.visibleTo(caller).relationsOf(collection),
});

export const readRelation = operation({
  id: 'readRelation',
  tag,
  summary: 'Read a relation',
  input: inField,
  output: relationAnswer,
  open: [may('read', 'service_relations')],
  once: 'never',
  run: ({ deps, caller }, { collection, field }) => deps.structure.visibleTo(caller).relation(collection, field),
});

export const listSuggestedRelations = operation({
  id: 'suggestRelations',
  tag,
  summary: 'Relations that nobody declared, as names and stored values suggest them; each can be created as metadata only',
  input: {},
  output: list(suggestionAnswer),
  open: ['administrators'],
  once: 'never',
  run: ({ deps }) => deps.structure.suggestRelations(),
});

export const listIndexes = operation({
  id: 'listIndexes',
  tag,
  summary: 'List indexes',
  input: {},
  output: list(indexAnswer),
  open: ['administrators'],
  once: 'never',
  run: ({ deps, caller }) => deps.structure.visibleTo(caller).indexes(),
});

export const listIndexesOf = operation({
  id: 'listIndexesOf',
  tag,
  summary: 'List the indexes of a collection',
  input: { collection: name },
  output: list(indexAnswer),
  open: ['administrators'],
  once: 'never',
  run: ({ deps, caller }, { collection }) => deps.structure.visibleTo(caller).indexesIn(collection),
});

export const readIndex = operation({
  id: 'readIndex',
  tag,
  summary: 'Read an index',
  input: { collection: name, name },
  output: indexAnswer,
  open: ['administrators'],
  once: 'never',
  run: ({ deps, caller }, input) => deps.structure.visibleTo(caller).index(input.collection, input.name),
});

export const structureReads: readonly Operation[] = [
  listCollections,
  readCollection,
  listFields,
  listFieldsOf,
  readField,
  listRelations,
  listRelationsOf,
  readRelation,
  listSuggestedRelations,
  listIndexes,
  listIndexesOf,
  readIndex,
];
