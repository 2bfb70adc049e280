// A root type whose fields are made when they are asked for: a large database has thousands of them, a request names a few.

import { type GraphQLField, type GraphQLFieldConfig, type GraphQLFieldMap, GraphQLObjectType } from 'graphql';

export type MakeField = () => GraphQLFieldConfig<unknown, unknown>;

/** Root fields by name, not made yet. */
export type RootFieldMap = Readonly<Record<string, MakeField>>;

export class LazyRootType extends GraphQLObjectType<unknown, unknown> {
  readonly #fields: GraphQLFieldMap<unknown, unknown>;

  constructor(name: string, fields: RootFieldMap) {
    super({ name, fields: {} });
    this.#fields = makeLazily(name, fields);
  }

  override getFields(): GraphQLFieldMap<unknown, unknown> {
    return this.#fields;
  }
}

/** To its readers a map like any other; a field replaces its maker when it is first read. */
function makeLazily(type: string, makers: RootFieldMap): GraphQLFieldMap<unknown, unknown> {
  const fields: GraphQLFieldMap<unknown, unknown> = Object.create(null);
  for (const [name, make] of Object.entries(makers)) {
    const get = (): GraphQLField<unknown, unknown> | undefined => {
      const value = new GraphQLObjectType<unknown, unknown>({ name: type, fields: { [name]: make() } }).getFields()[name];
      Object.defineProperty(fields, name, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(fields, name, { get, enumerable: true, configurable: true });
  }
  return fields;
}
