// Collections, fields and relations as resources, and the structure as a whole.

import { may } from '../asker.js';
import { any, group, listOf, object, open, text } from '../fixed-operation.js';
import { data, nothing } from '../operation.js';

const administrators = open('administrators');
const readsCollections = open(may('read', 'service_collections'));
const readsFields = open(may('read', 'service_fields'));
const readsRelations = open(may('read', 'service_relations'));

const parameters = ['prefer', 'idempotency'];
const [one, all] = [data(any), data(listOf(any))];
const collection = object({ collection: text, meta: any, schema: any, fields: listOf(any) }, 'collection');
const field = { field: text, type: text, meta: any, schema: any };
const relation = { collection: text, field: text, related_collection: text, meta: any, schema: any };
const snapshot = any;
const diff = object({ hash: text, diff: any }, 'hash', 'diff');

export const structureOperations = group('structure', {
  listCollections: readsCollections('get /collections', 'List collections', { answer: all }),
  searchCollections: readsCollections('search /collections', 'List collections by their names', {
    body: object({ keys: listOf(text) }),
    answer: all,
  }),
  createCollection: administrators('post /collections', 'Create collections', {
    parameters,
    body: { oneOf: [collection, listOf(collection)] },
    answer: one,
  }),
  updateCollections: administrators('patch /collections', 'Update several collections', {
    parameters,
    body: listOf(object({ collection: text, meta: any }, 'collection')),
    answer: all,
  }),
  readCollection: readsCollections('get /collections/{collection}', 'Read a collection', { answer: one }),
  updateCollection: administrators('patch /collections/{collection}', 'Update a collection', {
    parameters,
    body: object({ meta: any }),
    answer: one,
  }),
  deleteCollection: administrators('delete /collections/{collection}', 'Delete a collection with all its items', {
    parameters,
    answer: nothing,
  }),
  listFields: readsFields('get /fields', 'List all fields', { answer: all }),
  listFieldsOf: readsFields('get /fields/{collection}', 'List the fields of a collection', { answer: all }),
  createField: administrators('post /fields/{collection}', 'Create a field', {
    parameters,
    body: object(field, 'field', 'type'),
    answer: one,
  }),
  updateFields: administrators('patch /fields/{collection}', 'Update several fields', {
    parameters,
    body: listOf(object(field, 'field')),
    answer: all,
  }),
  readField: open('readers')('get /fields/{collection}/{field}', 'Read a field', { answer: one }),
  updateField: administrators('patch /fields/{collection}/{field}', 'Update a field', { parameters, body: object(field), answer: one }),
  deleteField: administrators('delete /fields/{collection}/{field}', 'Delete a field with all its data', { parameters, answer: nothing }),
  listRelations: readsRelations('get /relations', 'List relations', { answer: all }),
  listRelationsOf: readsRelations('get /relations/{collection}', 'List the relations of a collection', { answer: all }),
  createRelation: administrators('post /relations', 'Create a relation', {
    parameters,
    body: object(relation, 'collection', 'field'),
    answer: one,
  }),
  readRelation: readsRelations('get /relations/{collection}/{field}', 'Read a relation', { answer: one }),
  updateRelation: administrators('patch /relations/{collection}/{field}', 'Update a relation', {
    parameters,
    body: object(relation),
    answer: one,
  }),
  deleteRelation: administrators('delete /relations/{collection}/{field}', 'Delete a relation', { parameters, answer: nothing }),
  snapshot: administrators('get /schema/snapshot', 'The whole structure, to keep or to carry elsewhere', { answer: data(snapshot) }),
  diff: administrators('post /schema/diff', 'What it takes to make a snapshot true here', {
    parameters: ['mode'],
    body: snapshot,
    answer: data(diff),
  }),
  apply: administrators('post /schema/apply', 'Carry a diff out', {
    parameters: [...parameters, 'force', 'lossy'],
    body: diff,
    answer: nothing,
  }),
});
