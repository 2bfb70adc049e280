// The root fields that read collections: the list, an item by its key, totals, an item as one of its versions has it.

import { type GraphQLFieldConfig, GraphQLID, GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql';
import type { Collection } from '../../../../core/schema/schema.js';
import type { Drawing } from '../types/drawing.js';
import { groupArguments, listArguments } from '../types/list-arguments.js';
import { means, type ReadKind } from '../types/meanings.js';
import type { RootName } from './root-names.js';

type FieldConfig = GraphQLFieldConfig<unknown, unknown>;

const key = { type: new GraphQLNonNull(GraphQLID) };
const version = { type: GraphQLString };
const givenVersion = { type: new GraphQLNonNull(GraphQLString) };

/** null: the caller may not read the collection. */
export function drawQueryRoot(drawing: Drawing, { kind, collection: { name } }: RootName<ReadKind>): FieldConfig | null {
  const collection = drawing.find(name, 'read');
  return collection === null ? null : { ...roots[kind](drawing, collection), ...means({ kind, collection: name }) };
}

type DrawField = (drawing: Drawing, collection: Collection) => FieldConfig;

const listOf = (type: FieldConfig['type']): FieldConfig['type'] => new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)));

const roots: Readonly<Record<ReadKind, DrawField>> = {
  items: (drawing, { name }) => ({ type: listOf(drawing.object(name)), args: listArguments(drawing, name) }),
  item: (drawing, { name, system }) => ({ type: drawing.object(name), args: { id: key, ...(system ? {} : { version }) } }),
  singleton: (drawing, { name, system }) => ({ type: drawing.object(name), args: system ? {} : { version } }),
  aggregated: (drawing, { name }) => ({ type: listOf(drawing.aggregated(name)), args: groupArguments(drawing, name) }),
  version: (drawing, { name, singleton }) => ({
    type: drawing.version(name),
    args: { version: givenVersion, ...(singleton ? {} : { id: key }) },
  }),
};
