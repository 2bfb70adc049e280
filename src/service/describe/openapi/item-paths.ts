// The paths of one collection: only the operations this caller may carry out on at least some of its items.

import { grantOf } from '../../../core/access/view.js';
import type { Collection } from '../../../core/schema/schema.js';
import { writeSchema } from './collection-schemas.js';
import { type Drawing, keySchema } from './field-schema.js';
import { type Json, ref } from './json.js';
import { operation } from './operation.js';
import { itemParameters, listParameters } from './parameters.js';

export interface CollectionPath {
  readonly collection: Collection;
  /** `/items/books` or `/users`. */
  readonly path: string;
  readonly schemaName: string;
  readonly readOnly: boolean;
}

export interface DrawnPaths {
  readonly paths: Json;
  readonly schemas: Json;
}

type Operations = Record<string, Json>;

export function drawItemPaths(drawing: Drawing, at: CollectionPath): DrawnPaths {
  const schemas: Record<string, Json> = {};
  const list: Operations = {};
  const one: Operations = {};
  const read = drawing.readable.has(at.collection.name) ? ref('schemas', at.schemaName) : null;
  addReads(at, read, list, one);
  for (const action of ['create', 'update'] as const) {
    if (!may(drawing, at, action)) continue;
    schemas[`${at.schemaName}.${action}`] = writeSchema(drawing, at.collection, action);
  }
  addWrites(drawing, at, read, list, one);
  if (may(drawing, at, 'delete') && !at.collection.singleton) addDeletes(drawing, at, list, one);
  const key = {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The key of the item.',
    schema: keySchema(drawing, at.collection.name),
  };
  return {
    schemas,
    paths: {
      ...(isEmpty(list) ? {} : { [at.path]: list }),
      ...(isEmpty(one) ? {} : { [`${at.path}/{id}`]: { parameters: [key], ...one } }),
    },
  };
}

const isEmpty = (operations: Operations): boolean => Object.keys(operations).length === 0;

const may = ({ view }: Drawing, { collection, readOnly }: CollectionPath, action: 'create' | 'update' | 'delete'): boolean =>
  !readOnly && grantOf(view, collection.name, action) !== null;

const idOf = (verb: string, { schemaName }: CollectionPath): string => `${verb}${schemaName}`;
const tagOf = ({ collection }: CollectionPath): string => collection.name;

function addReads(at: CollectionPath, read: Json | null, list: Operations, one: Operations): void {
  if (read === null) return;
  const tag = tagOf(at);
  if (at.collection.singleton) {
    list['get'] = operation({ id: idOf('read', at), tag, summary: `Read ${tag}`, parameters: itemParameters, data: read });
    return;
  }
  const data = { type: 'array', items: read };
  list['get'] = operation({ id: idOf('list', at), tag, summary: `List ${tag}`, parameters: listParameters, data });
  if (at.collection.primaryKey.length > 0)
    one['get'] = operation({ id: idOf('read', at), tag, summary: `Read one of ${tag}`, parameters: itemParameters, data: read });
}

/** What may not be read is answered by nothing. */
function addWrites(drawing: Drawing, at: CollectionPath, read: Json | null, list: Operations, one: Operations): void {
  const tag = tagOf(at);
  const parameters = read === null ? [] : itemParameters;
  if (may(drawing, at, 'create') && !at.collection.singleton) {
    const item = ref('schemas', `${at.schemaName}.create`);
    const body = { oneOf: [item, { type: 'array', items: item }] };
    const create = operation({ id: idOf('create', at), tag, summary: `Create ${tag}`, parameters, body, data: read });
    list['post'] = at.path === '/files' ? withUpload(create) : create;
  }
  if (!may(drawing, at, 'update')) return;
  const change = ref('schemas', `${at.schemaName}.update`);
  if (at.collection.singleton) {
    list['patch'] = operation({ id: idOf('update', at), tag, summary: `Update ${tag}`, parameters, body: change, data: read });
    return;
  }
  const keys = { type: 'array', items: keySchema(drawing, at.collection.name) };
  const body = { type: 'object', required: ['keys', 'data'], properties: { keys, data: change } };
  const data = read === null ? null : { type: 'array', items: read };
  list['patch'] = operation({ id: idOf('updateMany', at), tag, summary: `Update several of ${tag}`, parameters, body, data });
  one['patch'] = operation({ id: idOf('update', at), tag, summary: `Update one of ${tag}`, parameters, body: change, data: read });
}

/** Files come with their contents as a form. */
function withUpload(create: Json): Json {
  const { content } = create['requestBody'] as { readonly content: Json };
  const form = {
    type: 'object',
    required: ['file'],
    properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
  };
  return { ...create, requestBody: { required: true, content: { ...content, 'multipart/form-data': { schema: form } } } };
}

function addDeletes(drawing: Drawing, at: CollectionPath, list: Operations, one: Operations): void {
  const tag = tagOf(at);
  const body = { type: 'array', items: keySchema(drawing, at.collection.name) };
  list['delete'] = operation({ id: idOf('deleteMany', at), tag, summary: `Delete several of ${tag}`, body, data: null });
  one['delete'] = operation({ id: idOf('delete', at), tag, summary: `Delete one of ${tag}`, data: null });
}
