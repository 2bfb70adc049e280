// What a subscription tells of a change: which item, what happened to it, and the item itself unless it is gone.

import { GraphQLEnumType, GraphQLID, GraphQLNonNull, GraphQLObjectType } from 'graphql';
import type { Collection } from '../../../core/schema/schema.js';
import type { Drawing } from './drawing.js';

export const eventEnum = new GraphQLEnumType({ name: 'EventEnum', values: { create: {}, update: {}, delete: {} } });

export const drawMutated = (drawing: Drawing, collection: Collection, name: string): GraphQLObjectType =>
  new GraphQLObjectType({
    name,
    fields: () => ({
      key: { type: new GraphQLNonNull(GraphQLID) },
      event: { type: eventEnum },
      data: { type: drawing.object(collection.name) },
    }),
  });
