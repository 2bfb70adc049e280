// The root types of /graphql/system: the service's own collections without their prefix, and the operations.

import {
  type GraphQLFieldConfig,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLType,
  getNamedType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import type { Caller } from '../../../core/access/view.js';
import type { Collection } from '../../../core/schema/schema.js';
import { resources } from '../../../service/system/resources.js';
import type { TypeDrawing } from '../schema/draw-types.js';
import { LazyRootType, type RootFieldMap } from '../schema/lazy-root-type.js';
import type { Roots } from '../schema/lazy-schema.js';
import { means } from '../schema/meanings.js';
import { mergeRoots } from '../schema/merge-roots.js';
import { drawMutationRoots } from '../schema/mutation-roots.js';
import { drawQueryRoots } from '../schema/query-roots.js';
import type { Operation } from './operation.js';

type FieldConfig = GraphQLFieldConfig<unknown, unknown>;

export interface SystemRoots {
  readonly roots: Roots;
  /** Types that no collection is drawn with. */
  readonly types: readonly GraphQLNamedType[];
}

const pathOf = new Map(resources.map(({ collection, path }) => [collection, path]));

export function drawSystemRoots(operations: readonly Operation[], drawing: TypeDrawing, caller: Caller): SystemRoots {
  const offered = operations.filter((operation) => operation.isOffered?.(caller, drawing) ?? true);
  const configs = offered.map((operation) => ({ ...operation, config: drawOperation(operation, drawing, caller) }));
  const own = (kind: Operation['kind']): RootFieldMap =>
    Object.fromEntries(configs.filter((entry) => entry.kind === kind).map(({ name, config }) => [name, () => config]));
  const named = (collections: readonly Collection[]) => collections.filter((collection) => pathOf.has(collection.name));
  const queries = named(drawing.collections('read')).map((collection) => drawQueryRoots(drawing, collection, nameOf(collection)));
  const mutations = named(drawing.writable()).map((collection) => drawMutationRoots(drawing, collection, nameOf(collection)));
  return {
    roots: {
      query: new LazyRootType('Query', mergeRoots([{ own: own('query'), derived: {} }, ...queries])),
      mutation: new LazyRootType(
        'Mutation',
        mergeRoots([{ own: { ...own('mutation'), ...drawUpdateOwn(drawing) }, derived: {} }, ...mutations]),
      ),
      subscription: null,
    },
    types: reachTypes(
      drawing,
      configs.map(({ config }) => config),
    ),
  };
}

const nameOf = ({ name }: Collection): string => pathOf.get(name) ?? name;

const drawOperation = ({ name, type, args = {} }: Operation, drawing: TypeDrawing, caller: Caller): FieldConfig => ({
  type: typeof type === 'function' ? type(caller, drawing) : type,
  args: typeof args === 'function' ? args(drawing) : args,
  ...means({ kind: 'operation', name }),
});

function drawUpdateOwn(drawing: TypeDrawing): RootFieldMap {
  const users = 'service_users';
  if (drawing.find(users, 'update') === null || drawing.find(users, 'read') === null) return {};
  const data = () => ({ type: new GraphQLNonNull(drawing.input('update', users)) });
  const meaning = means({ kind: 'update-own', collection: users, reads: true });
  return { update_users_me: () => ({ type: drawing.object(users), args: { data: data() }, ...meaning }) };
}

/** What the operations take and answer, except for what collections are drawn with. */
function reachTypes(drawing: TypeDrawing, fields: readonly FieldConfig[]): readonly GraphQLNamedType[] {
  const found = new Map<string, GraphQLNamedType>();
  const reach = (type: GraphQLType): void => {
    const named = getNamedType(type);
    if (found.has(named.name) || drawing.type(named.name) === named) return;
    found.set(named.name, named);
    if (isObjectType(named) || isInputObjectType(named)) for (const field of Object.values(named.getFields())) reach(field.type);
  };
  for (const { type, args = {} } of fields) {
    reach(type);
    for (const argument of Object.values(args)) reach(argument.type);
  }
  return [...found.values()];
}
