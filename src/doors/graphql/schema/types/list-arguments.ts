// The arguments of every list, at the root and nested.

import { type GraphQLFieldConfigArgumentMap, GraphQLList, GraphQLString } from 'graphql';
import type { Drawing } from './drawing.js';
import { intScalar } from './scalars.js';

const names = { type: new GraphQLList(GraphQLString) };
const number = { type: intScalar };

export const listArguments = (drawing: Drawing, collection: string): GraphQLFieldConfigArgumentMap => ({
  filter: { type: drawing.filter(collection) },
  sort: names,
  limit: number,
  offset: number,
  page: number,
  search: { type: GraphQLString },
});

export const groupArguments = (drawing: Drawing, collection: string): GraphQLFieldConfigArgumentMap => ({
  groupBy: names,
  ...listArguments(drawing, collection),
});
