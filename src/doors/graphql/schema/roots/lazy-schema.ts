// A schema that creates its types on demand. graphql-js walks all reachable types when it creates a schema, which for a large database
// means hundreds of thousands of objects; a request names a handful of types.

import { type GraphQLNamedType, type GraphQLObjectType, GraphQLSchema, introspectionTypes, specifiedScalarTypes } from 'graphql';
import type { TypeDrawing } from '../types/draw-types.js';
import { filterOperatorTypes } from '../types/filter-operators.js';
import { functionTypes } from '../types/function-types.js';
import { eventEnum } from '../types/mutated-type.js';
import * as scalars from '../types/scalars.js';
import { deletionTypes } from './mutation-roots.js';

/** The types that every schema has, whatever the database holds. */
const fixedTypes: readonly GraphQLNamedType[] = [
  ...specifiedScalarTypes,
  // Behind those of the standard, of which they replace two.
  ...Object.values(scalars),
  ...filterOperatorTypes,
  ...functionTypes,
  ...deletionTypes,
  eventEnum,
  ...introspectionTypes,
];

export interface Roots {
  readonly query: GraphQLObjectType;
  /** null: the caller may change nothing. */
  readonly mutation: GraphQLObjectType | null;
  readonly subscription: GraphQLObjectType | null;
}

export class LazySchema extends GraphQLSchema {
  readonly #drawing: TypeDrawing;
  readonly #roots: Roots;
  readonly #fixed: ReadonlyMap<string, GraphQLNamedType>;
  #all: Readonly<Record<string, GraphQLNamedType>> | null = null;

  /** `types`: further types that are not drawn from a collection. */
  constructor(drawing: TypeDrawing, roots: Roots, types: readonly GraphQLNamedType[] = []) {
    // Without types the constructor of graphql-js has nothing to walk; the methods below answer instead.
    super({ assumeValid: true });
    this.#drawing = drawing;
    this.#roots = roots;
    const named = [roots.query, roots.mutation, roots.subscription, ...fixedTypes, ...types];
    this.#fixed = new Map(named.flatMap((type) => (type === null ? [] : [[type.name, type]])));
  }

  /** How many types drawn from collections it holds in memory. */
  get size(): number {
    return this.#drawing.size;
  }

  override getQueryType(): GraphQLObjectType {
    return this.#roots.query;
  }

  override getMutationType(): GraphQLObjectType | undefined {
    return this.#roots.mutation ?? undefined;
  }

  override getSubscriptionType(): GraphQLObjectType | undefined {
    return this.#roots.subscription ?? undefined;
  }

  override getType(name: string): GraphQLNamedType | undefined {
    return this.#fixed.get(name) ?? this.#drawing.type(name);
  }

  /** Creates all types, for introspection and printing. */
  override getTypeMap(): Record<string, GraphQLNamedType> {
    this.#all ??= Object.fromEntries([...this.#fixed.values(), ...this.#drawing.types()].map((type) => [type.name, type]));
    return { ...this.#all };
  }
}
