// A schema that makes its types when they are asked for. graphql-js walks everything that can be reached when it makes a schema, which
// for a large database is hundreds of thousands of objects; a request names a handful of types.

import { type GraphQLNamedType, type GraphQLObjectType, GraphQLSchema, introspectionTypes, specifiedScalarTypes } from 'graphql';
import type { TypeDrawing } from './draw-types.js';

export interface Roots {
  readonly query: GraphQLObjectType;
  /** null: the caller can change nothing. */
  readonly mutation: GraphQLObjectType | null;
  readonly subscription: GraphQLObjectType | null;
}

export class LazySchema extends GraphQLSchema {
  readonly #drawing: TypeDrawing;
  readonly #roots: Roots;
  readonly #fixed: ReadonlyMap<string, GraphQLNamedType>;
  #all: Readonly<Record<string, GraphQLNamedType>> | null = null;

  /** `fixed`: types that are the same in every schema. */
  constructor(drawing: TypeDrawing, roots: Roots, fixed: readonly GraphQLNamedType[]) {
    // The walk of graphql-js finds nothing: what it would find is answered by the methods below.
    super({ assumeValid: true });
    this.#drawing = drawing;
    this.#roots = roots;
    const named = [roots.query, roots.mutation, roots.subscription, ...fixed, ...specifiedScalarTypes, ...introspectionTypes];
    this.#fixed = new Map(named.flatMap((type) => (type === null ? [] : [[type.name, type]])));
  }

  /** How many types are held in memory on its behalf. */
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

  /** Everything, for introspection and for printing. */
  override getTypeMap(): Record<string, GraphQLNamedType> {
    this.#all ??= Object.fromEntries([...this.#fixed.values(), ...this.#drawing.types()].map((type) => [type.name, type]));
    return { ...this.#all };
  }
}
