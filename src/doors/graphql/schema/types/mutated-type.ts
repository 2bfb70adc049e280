// The type of a subscription's events: the key of the item, what happened to it, the item itself unless it was deleted,
// and the cursor with which a client that was cut off goes on.

import {
  GraphQLEnumType,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type { Collection } from '../../../../core/schema/schema.js';
import type { Drawing } from './drawing.js';

export const eventEnum = new GraphQLEnumType({ name: 'EventEnum', values: { create: {}, update: {}, delete: {} } });

export const drawMutated = (drawing: Drawing, collection: Collection, name: string): GraphQLObjectType =>
  new GraphQLObjectType({
    name,
    fields: () => ({
      key: { type: new GraphQLNonNull(GraphQLID) },
      event: { type: eventEnum },
      data: { type: drawing.object(collection.name) },
      cursor: { type: GraphQLString },
    }),
  });

/** Without arguments all events of all items; `since`: the cursor of the last event that the client has got. */
export const eventArguments = (drawing: Drawing, collection: string): GraphQLFieldConfigArgumentMap => ({
  event: { type: eventEnum },
  filter: { type: drawing.filter(collection) },
  keys: { type: new GraphQLList(new GraphQLNonNull(GraphQLID)) },
  since: { type: GraphQLString },
});
