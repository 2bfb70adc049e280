// The root fields that write collections. They answer `true` to a caller who may not read the written items.

import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
} from 'graphql';
import type { Drawing } from '../types/drawing.js';
import { listArguments } from '../types/list-arguments.js';
import { means, type WriteKind } from '../types/meanings.js';
import type { RootName } from './root-names.js';

type FieldConfig = GraphQLFieldConfig<unknown, unknown>;

const key = { type: new GraphQLNonNull(GraphQLID) };
const keys = { type: new GraphQLNonNull(new GraphQLList(GraphQLID)) };

const deleteOne = new GraphQLObjectType({ name: 'delete_one', fields: { id: key } });
const deleteMany = new GraphQLObjectType({ name: 'delete_many', fields: { ids: keys } });

export const deletionTypes: readonly GraphQLObjectType[] = [deleteOne, deleteMany];

/** null: the caller may not write the collection in this way. */
export function drawMutationRoot(drawing: Drawing, { kind, collection: { name } }: RootName<WriteKind>): FieldConfig | null {
  if (drawing.find(name, actionOf(kind)) === null) return null;
  const draw = roots[kind];
  return draw(drawing, name, kind);
}

const actionOf = (kind: WriteKind): 'create' | 'update' | 'delete' => {
  if (kind === 'create-one' || kind === 'create-many') return 'create';
  return kind === 'delete-one' || kind === 'delete-many' ? 'delete' : 'update';
};

type DrawField = (drawing: Drawing, name: string, kind: WriteKind) => FieldConfig;

const created = (drawing: Drawing, name: string) => new GraphQLNonNull(drawing.input('create', name));
const updated = (drawing: Drawing, name: string) => new GraphQLNonNull(drawing.input('update', name));
const deletion = (collection: string, kind: WriteKind) => means({ kind, collection, reads: false });

const roots: Readonly<Record<WriteKind, DrawField>> = {
  'create-one': (drawing, name, kind) => one(drawing, name, kind, { data: { type: created(drawing, name) } }),
  'create-many': (drawing, name, kind) => many(drawing, name, kind, { data: { type: new GraphQLList(created(drawing, name)) } }),
  'update-one': (drawing, name, kind) => one(drawing, name, kind, { id: key, data: { type: updated(drawing, name) } }),
  'update-many': (drawing, name, kind) => many(drawing, name, kind, { ids: keys, data: { type: updated(drawing, name) } }),
  'update-batch': (drawing, name, kind) => many(drawing, name, kind, { data: { type: new GraphQLList(updated(drawing, name)) } }),
  'update-singleton': (drawing, name, kind) => one(drawing, name, kind, { data: { type: updated(drawing, name) } }),
  'delete-one': (_drawing, name, kind) => ({ type: deleteOne, args: { id: key }, ...deletion(name, kind) }),
  'delete-many': (_drawing, name, kind) => ({ type: deleteMany, args: { ids: keys }, ...deletion(name, kind) }),
};

function one(drawing: Drawing, name: string, kind: WriteKind, args: GraphQLFieldConfigArgumentMap): FieldConfig {
  const reads = drawing.find(name, 'read') !== null;
  return { type: reads ? drawing.object(name) : GraphQLBoolean, args, ...means({ kind, collection: name, reads }) };
}

function many(drawing: Drawing, name: string, kind: WriteKind, args: GraphQLFieldConfigArgumentMap): FieldConfig {
  if (drawing.find(name, 'read') === null) return { type: GraphQLBoolean, args, ...means({ kind, collection: name, reads: false }) };
  const type = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(drawing.object(name))));
  return { type, args: { ...args, ...listArguments(drawing, name) }, ...means({ kind, collection: name, reads: true }) };
}
