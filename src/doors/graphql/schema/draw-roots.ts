// The root types of /graphql: everything the caller may do with the collections of the database.

import type { Collection } from '../../../core/schema/schema.js';
import type { TypeDrawing } from './draw-types.js';
import { LazyRootType, type MakeField, type RootFieldMap } from './lazy-root-type.js';
import type { Roots } from './lazy-schema.js';
import { means } from './meanings.js';
import { mergeRoots } from './merge-roots.js';
import { eventEnum } from './mutated-type.js';
import { drawMutationRoots } from './mutation-roots.js';
import { drawQueryRoots } from './query-roots.js';
import { voidScalar } from './scalars.js';

const nothing = means({ kind: 'nothing' });
const isOfUser = (collection: Collection): boolean => !collection.system;

export function drawItemRoots(drawing: TypeDrawing): Roots {
  const readable = drawing.collections('read').filter(isOfUser);
  const writable = drawing.writable().filter(isOfUser);
  const queries = mergeRoots(readable.map((collection) => drawQueryRoots(drawing, collection, drawing.nameOf(collection.name))));
  const mutations = mergeRoots(writable.map((collection) => drawMutationRoots(drawing, collection, drawing.nameOf(collection.name))));
  return {
    query: new LazyRootType('Query', readable.length === 0 ? { _empty: () => ({ type: voidScalar, ...nothing }) } : queries),
    mutation: writable.length === 0 ? null : new LazyRootType('Mutation', mutations),
    subscription: readable.length === 0 ? null : new LazyRootType('Subscription', drawSubscriptions(drawing, readable)),
  };
}

/** Served over sockets; over HTTP they answer null. */
function drawSubscriptions(drawing: TypeDrawing, collections: readonly Collection[]): RootFieldMap {
  const args = { event: { type: eventEnum } };
  const fields = collections.map(({ name }) => {
    const make = (): ReturnType<MakeField> => ({ type: drawing.mutated(name), args, ...nothing });
    return [`${drawing.nameOf(name)}_mutated`, make] as const;
  });
  return Object.fromEntries(fields);
}
