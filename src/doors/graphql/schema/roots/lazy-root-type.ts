// A root type that creates its fields on demand: a large database has thousands of them, and a request names a few.

import { type GraphQLField, type GraphQLFieldConfig, type GraphQLFieldMap, GraphQLObjectType } from 'graphql';

export interface RootSource {
  /** All names, for introspection and printing. */
  names(): readonly string[];
  /** null: this caller has no such field. */
  make(name: string): GraphQLFieldConfig<unknown, unknown> | null;
}

export class LazyRootType extends GraphQLObjectType<unknown, unknown> {
  readonly #fields: GraphQLFieldMap<unknown, unknown>;

  constructor(name: string, source: RootSource) {
    super({ name, fields: {} });
    this.#fields = makeLazily(name, source);
  }

  override getFields(): GraphQLFieldMap<unknown, unknown> {
    return this.#fields;
  }
}

type RootField = GraphQLField<unknown, unknown>;

/** Behaves like a plain map of all fields. */
function makeLazily(type: string, source: RootSource): GraphQLFieldMap<unknown, unknown> {
  const made = new Map<string, RootField | undefined>();
  const get = (name: string | symbol): RootField | undefined => {
    if (typeof name !== 'string') return undefined;
    if (!made.has(name)) made.set(name, makeField(type, name, source));
    return made.get(name);
  };
  return new Proxy<GraphQLFieldMap<unknown, unknown>>(Object.create(null), {
    get: (_target, name) => get(name),
    has: (_target, name) => get(name) !== undefined,
    ownKeys: () => source.names().filter((name) => get(name) !== undefined),
    getOwnPropertyDescriptor: (_target, name) => {
      const value = get(name);
      return value === undefined ? undefined : { value, enumerable: true, configurable: true };
    },
  });
}

function makeField(type: string, name: string, source: RootSource): RootField | undefined {
  const config = source.make(name);
  return config === null
    ? undefined
    : new GraphQLObjectType<unknown, unknown>({ name: type, fields: { [name]: config } }).getFields()[name];
}
