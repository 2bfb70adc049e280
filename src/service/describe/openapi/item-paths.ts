// The paths of one collection: only the operations this caller may carry out on at least some of its items.

import { grantOf } from '../../../core/access/view.js';
import type { Collection } from '../../../core/schema/schema.js';
import { uploads } from '../../operations/shape.js';
import { writeSchema } from './collection-schemas.js';
import { type Drawing, keySchema } from './field-schema.js';
import { any, listOf, object } from './fixed-operation.js';
import { type Json, ref } from './json.js';
import { type Answer, data, nothing, operation } from './operation.js';
import { itemParameters, listParameters, writtenParameters } from './parameters.js';
import { addOperation, hasOperations, type PathItem } from './path-item.js';
import { objectSchema } from './shape-schema.js';

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

export function drawItemPaths(drawing: Drawing, at: CollectionPath): DrawnPaths {
  const schemas: Record<string, Json> = {};
  const list: PathItem = {};
  const one: PathItem = { parameters: [keyParameter(drawing, at)] };
  const read = drawing.readable.has(at.collection.name) ? ref('schemas', at.schemaName) : null;
  addReads(drawing, at, read, list, one);
  for (const action of ['create', 'update'] as const) {
    if (!may(drawing, at, action)) continue;
    schemas[`${at.schemaName}.${action}`] = writeSchema(drawing, at.collection, action);
  }
  addWrites(drawing, at, read, list, one);
  if (may(drawing, at, 'delete') && !at.collection.singleton) addDeletes(drawing, at, list, one);
  return {
    schemas,
    paths: { ...(hasOperations(list) ? { [at.path]: list } : {}), ...(hasOperations(one) ? { [`${at.path}/{id}`]: one } : {}) },
  };
}

const keyParameter = (drawing: Drawing, { collection }: CollectionPath): Json => ({
  name: 'id',
  in: 'path',
  required: true,
  description: 'The key of the item.',
  schema: keySchema(drawing, collection.name),
});

const may = ({ view }: Drawing, { collection, readOnly }: CollectionPath, action: 'create' | 'update' | 'delete'): boolean =>
  !readOnly && grantOf(view, collection.name, action) !== null;

const idOf = (verb: string, { schemaName }: CollectionPath): string => `${verb}${schemaName}`;
const tagOf = ({ collection }: CollectionPath): string => collection.name;
const keysOf = (drawing: Drawing, { collection }: CollectionPath): Json => listOf(keySchema(drawing, collection.name));
const orNothing = (schema: Json | null): Answer => (schema === null ? nothing : data(schema));

function addReads(drawing: Drawing, at: CollectionPath, read: Json | null, list: PathItem, one: PathItem): void {
  if (read === null) return;
  const tag = tagOf(at);
  if (at.collection.singleton) {
    const facts = { id: idOf('read', at), tag, summary: `Read ${tag}`, parameters: itemParameters, answer: data(read) };
    addOperation(list, 'get', operation(facts));
    return;
  }
  const answer = data(listOf(read));
  const followed = at.collection.primaryKey.length === 0 ? answer : { ...answer, others: { 'text/event-stream': events } };
  const parameters = [...listParameters, 'lastEvent'];
  addOperation(list, 'get', operation({ id: idOf('list', at), tag, summary: `List ${tag}`, parameters, answer: followed }));
  const body = object({ query: any, keys: keysOf(drawing, at) });
  addOperation(list, 'search', operation({ id: idOf('search', at), tag, summary: `List ${tag}, the query in the body`, body, answer }));
  if (at.collection.primaryKey.length === 0) return;
  const facts = { id: idOf('read', at), tag, summary: `Read one of ${tag}`, parameters: itemParameters, answer: data(read) };
  addOperation(one, 'get', operation(facts));
}

const events: Json = {
  type: 'string',
  description:
    'Server-sent events: `init` with the items, then `create`, `update` and `delete` as they change; `reset` in place of `init` after a gap.',
};

/** `read` null: the caller may not read the items, so writes answer without a body. */
function addWrites(drawing: Drawing, at: CollectionPath, read: Json | null, list: PathItem, one: PathItem): void {
  const tag = tagOf(at);
  const parameters = [...(read === null ? [] : writtenParameters), 'idempotency', 'revisions'];
  if (may(drawing, at, 'create') && !at.collection.singleton) {
    const item = ref('schemas', `${at.schemaName}.create`);
    const facts = { id: idOf('create', at), tag, summary: `Create ${tag}`, parameters: [...parameters, 'on_conflict'] };
    const form = at.path === '/files' ? { form: upload } : {};
    addOperation(list, 'post', operation({ ...facts, ...form, body: { oneOf: [item, listOf(item)] }, answer: orNothing(read) }));
  }
  if (!may(drawing, at, 'update')) return;
  const change = ref('schemas', `${at.schemaName}.update`);
  const update = { id: idOf('update', at), tag, parameters, body: change, answer: orNothing(read) };
  if (at.collection.singleton) {
    addOperation(list, 'patch', operation({ ...update, summary: `Update ${tag}` }));
    return;
  }
  const chosen = [
    object({ keys: keysOf(drawing, at), data: change }, 'keys', 'data'),
    object({ query: any, data: change }, 'query', 'data'),
  ];
  const answer = read === null ? nothing : data(listOf(read));
  const many = { id: idOf('updateMany', at), tag, summary: `Update several of ${tag}`, parameters, answer };
  addOperation(list, 'patch', operation({ ...many, body: { oneOf: [...chosen, listOf(change)] } }));
  const form = at.path === '/files' ? { form: upload } : {};
  addOperation(one, 'patch', operation({ ...update, ...form, summary: `Update one of ${tag}`, parameters: [...parameters, 'match'] }));
}

/** Files come with their contents as a form. */
const upload = objectSchema({ file: uploads });

function addDeletes(drawing: Drawing, at: CollectionPath, list: PathItem, one: PathItem): void {
  const tag = tagOf(at);
  const keys = keysOf(drawing, at);
  const body = { oneOf: [keys, object({ keys }, 'keys'), object({ query: any }, 'query')] };
  const many = {
    id: idOf('deleteMany', at),
    tag,
    summary: `Delete several of ${tag}`,
    parameters: ['idempotency', 'revisions'],
    body,
    answer: nothing,
  };
  addOperation(list, 'delete', operation(many));
  const single = {
    id: idOf('delete', at),
    tag,
    summary: `Delete one of ${tag}`,
    parameters: ['idempotency', 'revisions', 'match'],
    answer: nothing,
  };
  addOperation(one, 'delete', operation(single));
}
