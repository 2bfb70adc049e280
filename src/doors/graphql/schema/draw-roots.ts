// The root types of /graphql: everything the caller may do with the collections of the database.

import type { Collection, Schema } from '../../../core/schema/schema.js';
import { namesOf } from './claim-names.js';
import type { TypeDrawing } from './draw-types.js';
import { LazyRootType, type RootSource } from './lazy-root-type.js';
import type { Roots } from './lazy-schema.js';
import { means } from './meanings.js';
import { eventEnum } from './mutated-type.js';
import { drawMutationRoot } from './mutation-roots.js';
import { drawQueryRoot } from './query-roots.js';
import { nameRoots, type RootNames } from './root-names.js';
import { voidScalar } from './scalars.js';

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

/** Whoever may read nothing has one field, which answers null. */
const empty: RootSource = { names: () => ['_empty'], make: (name) => (name === '_empty' ? { type: voidScalar, ...nothing } : null) };

/** Served over sockets; over HTTP they answer null. */
function subscriptions(drawing: TypeDrawing, queries: RootNames['queries']): RootSource {
  const lists = [...queries.values()].filter(({ kind }) => kind === 'items' || kind === 'singleton');
  const named = new Map(lists.map(({ collection }) => [`${drawing.nameOf(collection.name)}_mutated`, collection]));
  const args = { event: { type: eventEnum } };
  return sourceOf(named, ({ name }) => (drawing.find(name, 'read') === null ? null : { type: drawing.mutated(name), args, ...nothing }));
}
