// The root types of /graphql: what the caller may do with the collections of the database.

import type { Collection, Schema } from '../../../../core/schema/schema.js';
import { namesOf } from '../names/claim-names.js';
import type { TypeDrawing } from '../types/draw-types.js';
import { means } from '../types/meanings.js';
import { eventArguments } from '../types/mutated-type.js';
import { voidScalar } from '../types/scalars.js';
import { LazyRootType, type RootSource } from './lazy-root-type.js';
import type { Roots } from './lazy-schema.js';
import { drawMutationRoot } from './mutation-roots.js';
import { drawQueryRoot } from './query-roots.js';
import { nameRoots, type RootNames } from './root-names.js';

const nothing = means({ kind: 'nothing' });
const known = new WeakMap<Schema, RootNames>();

function itemRoots(schema: Schema): RootNames {
  const names = namesOf(schema);
  const nameAtRoot = ({ name, system }: Collection): string | null => (system ? null : (names.collections.get(name)?.object ?? null));
  const roots = known.get(schema) ?? nameRoots(schema, nameAtRoot, new Set());
  known.set(schema, roots);
  return roots;
}

export function drawItemRoots(drawing: TypeDrawing): Roots {
  const { queries, mutations } = itemRoots(drawing.view.schema);
  const reads = [...queries.values()].some(({ collection }) => drawing.find(collection.name, 'read') !== null);
  const writes = [...mutations.values()].some((root) => drawMutationRoot(drawing, root) !== null);
  return {
    query: new LazyRootType('Query', reads ? sourceOf(queries, (root) => drawQueryRoot(drawing, root)) : empty),
    mutation: writes
      ? new LazyRootType(
          'Mutation',
          sourceOf(mutations, (root) => drawMutationRoot(drawing, root)),
        )
      : null,
    subscription: reads ? new LazyRootType('Subscription', subscriptions(drawing, queries)) : null,
  };
}

export function sourceOf<Root>(names: ReadonlyMap<string, Root>, draw: (root: Root) => ReturnType<RootSource['make']>): RootSource {
  return {
    names: () => [...names.keys()],
    make: (name) => {
      const root = names.get(name);
      return root === undefined ? null : draw(root);
    },
  };
}

/** The roots of a caller who may read nothing: a type needs a field, and this one answers null. */
const empty: RootSource = { names: () => ['_empty'], make: (name) => (name === '_empty' ? { type: voidScalar, ...nothing } : null) };

/** Events are sent over a WebSocket; over HTTP subscriptions answer null. */
function subscriptions(drawing: TypeDrawing, queries: RootNames['queries']): RootSource {
  const lists = [...queries.values()].filter(({ kind }) => kind === 'items' || kind === 'singleton');
  const named = new Map(lists.map(({ collection }) => [`${drawing.nameOf(collection.name)}_mutated`, collection]));
  return sourceOf(named, ({ name: collection }) => {
    if (drawing.find(collection, 'read') === null) return null;
    return { type: drawing.mutated(collection), args: eventArguments(drawing, collection), ...means({ kind: 'events', collection }) };
  });
}
