// The root fields that read collections: the list, one item by its key, totals, one item as a version has it.

import { type GraphQLFieldConfig, GraphQLID, GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql';
import type { Collection } from '../../../core/schema/schema.js';
import type { Drawing } from './drawing.js';
import { groupArguments, listArguments } from './list-arguments.js';
import { means } from './meanings.js';
import type { RootFields } from './merge-roots.js';

type FieldConfig = GraphQLFieldConfig<unknown, unknown>;

const key = { type: new GraphQLNonNull(GraphQLID) };
const version = { type: GraphQLString };
const givenVersion = { type: new GraphQLNonNull(GraphQLString) };

/** `name`: how the collection is called at the root; system collections drop their prefix there. */
export function drawQueryRoots(drawing: Drawing, collection: Collection, name: string): RootFields {
  const versions = collection.system ? {} : { [`${name}_by_version`]: () => byVersion(drawing, collection) };
  if (collection.singleton) return { own: { [name]: () => singleton(drawing, collection) }, derived: versions };
  const byKey = collection.primaryKey.length === 0 ? {} : { [`${name}_by_id`]: () => byId(drawing, collection), ...versions };
  return {
    own: { [name]: () => list(drawing, collection) },
    derived: { [`${name}_aggregated`]: () => aggregated(drawing, collection), ...byKey },
  };
}

const listOf = (type: FieldConfig['type']): FieldConfig['type'] => new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)));

const list = (drawing: Drawing, { name }: Collection): FieldConfig => ({
  type: listOf(drawing.object(name)),
  args: listArguments(drawing, name),
  ...means({ kind: 'items', collection: name }),
});

const byId = (drawing: Drawing, { name, system }: Collection): FieldConfig => ({
  type: drawing.object(name),
  args: { id: key, ...(system ? {} : { version }) },
  ...means({ kind: 'item', collection: name }),
});

const singleton = (drawing: Drawing, { name, system }: Collection): FieldConfig => ({
  type: drawing.object(name),
  args: system ? {} : { version },
  ...means({ kind: 'singleton', collection: name }),
});

const aggregated = (drawing: Drawing, { name }: Collection): FieldConfig => ({
  type: listOf(drawing.aggregated(name)),
  args: groupArguments(drawing, name),
  ...means({ kind: 'aggregated', collection: name }),
});

const byVersion = (drawing: Drawing, { name, singleton: isSingleton }: Collection): FieldConfig => ({
  type: drawing.version(name),
  args: { version: givenVersion, ...(isSingleton ? {} : { id: key }) },
  ...means({ kind: 'version', collection: name }),
});
