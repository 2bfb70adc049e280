// The root fields that write collections. Who may not read what was written is answered by true.

import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
} from 'graphql';
import type { Collection } from '../../../core/schema/schema.js';
import type { Drawing } from './drawing.js';
import type { RootFieldMap } from './lazy-root-type.js';
import { listArguments } from './list-arguments.js';
import { means, type WriteKind } from './meanings.js';
import type { RootFields } from './merge-roots.js';

type FieldConfig = GraphQLFieldConfig<unknown, unknown>;

const key = { type: new GraphQLNonNull(GraphQLID) };
const keys = { type: new GraphQLNonNull(new GraphQLList(GraphQLID)) };

const deleteOne = new GraphQLObjectType({ name: 'delete_one', fields: { id: key } });
const deleteMany = new GraphQLObjectType({ name: 'delete_many', fields: { ids: keys } });

export const deletionTypes: readonly GraphQLObjectType[] = [deleteOne, deleteMany];

export function drawMutationRoots(drawing: Drawing, collection: Collection, name: string): RootFields {
  if (collection.singleton) return { own: {}, derived: drawSingleton(drawing, collection, name) };
  const parts = [drawCreates(drawing, collection, name), drawUpdates(drawing, collection, name), drawDeletes(drawing, collection, name)];
  return { own: {}, derived: Object.assign({}, ...parts) };
}

const dataOf = (drawing: Drawing, action: 'create' | 'update', { name }: Collection) => new GraphQLNonNull(drawing.input(action, name));

function drawSingleton(drawing: Drawing, collection: Collection, name: string): RootFieldMap {
  if (drawing.find(collection.name, 'update') === null) return {};
  const data = () => ({ data: { type: dataOf(drawing, 'update', collection) } });
  return { [`update_${name}`]: () => one(drawing, collection, 'update-singleton', data()) };
}

function drawCreates(drawing: Drawing, collection: Collection, name: string): RootFieldMap {
  if (drawing.find(collection.name, 'create') === null) return {};
  const data = () => dataOf(drawing, 'create', collection);
  return {
    [`create_${name}_item`]: () => one(drawing, collection, 'create-one', { data: { type: data() } }),
    [`create_${name}_items`]: () => many(drawing, collection, 'create-many', { data: { type: new GraphQLList(data()) } }),
  };
}

function drawUpdates(drawing: Drawing, collection: Collection, name: string): RootFieldMap {
  if (drawing.find(collection.name, 'update') === null) return {};
  const data = () => dataOf(drawing, 'update', collection);
  return {
    [`update_${name}_item`]: () => one(drawing, collection, 'update-one', { id: key, data: { type: data() } }),
    [`update_${name}_items`]: () => many(drawing, collection, 'update-many', { ids: keys, data: { type: data() } }),
    [`update_${name}_batch`]: () => many(drawing, collection, 'update-batch', { data: { type: new GraphQLList(data()) } }),
  };
}

function drawDeletes(drawing: Drawing, collection: Collection, name: string): RootFieldMap {
  if (drawing.find(collection.name, 'delete') === null) return {};
  const meaning = (kind: WriteKind) => means({ kind, collection: collection.name, reads: false });
  return {
    [`delete_${name}_item`]: () => ({ type: deleteOne, args: { id: key }, ...meaning('delete-one') }),
    [`delete_${name}_items`]: () => ({ type: deleteMany, args: { ids: keys }, ...meaning('delete-many') }),
  };
}

function one(drawing: Drawing, { name }: Collection, kind: WriteKind, args: GraphQLFieldConfigArgumentMap): FieldConfig {
  const reads = drawing.find(name, 'read') !== null;
  return { type: reads ? drawing.object(name) : GraphQLBoolean, args, ...means({ kind, collection: name, reads }) };
}

function many(drawing: Drawing, { name }: Collection, kind: WriteKind, args: GraphQLFieldConfigArgumentMap): FieldConfig {
  if (drawing.find(name, 'read') === null) return { type: GraphQLBoolean, args, ...means({ kind, collection: name, reads: false }) };
  const type = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(drawing.object(name))));
  return { type, args: { ...args, ...listArguments(drawing, name) }, ...means({ kind, collection: name, reads: true }) };
}
