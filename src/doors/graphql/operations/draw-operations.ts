// The root types of /graphql/system: the service's own collections without their prefix, and the operations.

import { type GraphQLFieldConfig, type GraphQLNamedType, type GraphQLType, getNamedType, isInputObjectType, isObjectType } from 'graphql';
import type { Caller } from '../../../core/access/view.js';
import type { Schema } from '../../../core/schema/schema.js';
import { resources } from '../../../service/system/resources.js';
import { sourceOf } from '../schema/roots/draw-roots.js';
import { LazyRootType, type RootSource } from '../schema/roots/lazy-root-type.js';
import type { Roots } from '../schema/roots/lazy-schema.js';
import { drawMutationRoot } from '../schema/roots/mutation-roots.js';
import { drawQueryRoot } from '../schema/roots/query-roots.js';
import { nameRoots, type RootNames } from '../schema/roots/root-names.js';
import type { TypeDrawing } from '../schema/types/draw-types.js';
import { means } from '../schema/types/meanings.js';
import type { Operation } from './operation.js';

type FieldConfig = GraphQLFieldConfig<unknown, unknown>;

export interface SystemRoots {
  readonly roots: Roots;
  /** Types that no collection is drawn with. */
  readonly types: readonly GraphQLNamedType[];
}

const pathOf = new Map(resources.map(({ collection, path }) => [collection, path]));
const known = new WeakMap<Schema, RootNames>();

function resourceRoots(schema: Schema, operations: readonly Operation[]): RootNames {
  const reserved = new Set(operations.map(({ name }) => name));
  const roots = known.get(schema) ?? nameRoots(schema, ({ codeName }) => pathOf.get(codeName ?? '') ?? null, reserved);
  known.set(schema, roots);
  return roots;
}

export function drawSystemRoots(operations: readonly Operation[], drawing: TypeDrawing, caller: Caller): SystemRoots {
  const offered = operations.filter((operation) => operation.isOffered?.(caller, drawing) ?? true);
  const configs = new Map(offered.map((operation) => [operation, drawOperation(operation, drawing, caller)]));
  const { queries, mutations } = resourceRoots(drawing.view.schema, operations);
  return {
    roots: {
      query: new LazyRootType(
        'Query',
        beside(
          configs,
          'query',
          sourceOf(queries, (root) => drawQueryRoot(drawing, root)),
        ),
      ),
      mutation: new LazyRootType(
        'Mutation',
        beside(
          configs,
          'mutation',
          sourceOf(mutations, (root) => drawMutationRoot(drawing, root)),
        ),
      ),
      subscription: null,
    },
    types: reachTypes(drawing, [...configs.values()]),
  };
}

/** The operations of a kind, and what else there is. */
function beside(configs: ReadonlyMap<Operation, FieldConfig>, kind: Operation['kind'], items: RootSource): RootSource {
  const own = new Map([...configs].filter(([operation]) => operation.kind === kind).map(([{ name }, config]) => [name, config]));
  return { names: () => [...own.keys(), ...items.names()], make: (name) => own.get(name) ?? items.make(name) };
}

const drawOperation = (
  { name, description, type, args = {}, takesItem = false }: Operation,
  drawing: TypeDrawing,
  caller: Caller,
): FieldConfig => ({
  ...(description === undefined ? {} : { description }),
  type: typeof type === 'function' ? type(caller, drawing) : type,
  args: typeof args === 'function' ? args(drawing) : args,
  ...means({ kind: 'operation', name, takesItem }),
});

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
