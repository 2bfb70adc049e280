// Which names GraphQL can carry. What it cannot name is left out of the schema, and so are relations to it.

const valid = /^(?!__)[_A-Za-z][_0-9A-Za-z]*$/;

/** Names the schema itself uses: no collection may bear them. */
const reserved: ReadonlySet<string> = new Set([
  ...['Query', 'Mutation', 'Subscription'],
  ...['Int', 'Float', 'String', 'Boolean', 'ID'],
  ...['Date', 'JSON', 'Hash', 'Void', 'GraphQLBigInt', 'GraphQLStringOrFloat', 'GraphQLJsonFilter', 'GraphQLGeoJSON'],
  ...['delete_one', 'delete_many', 'date_functions', 'time_functions', 'datetime_functions', 'count_functions', 'EventEnum'],
  ...['string', 'id', 'number', 'big_int', 'date', 'boolean', 'hash', 'json', 'geometry'].map((type) => `${type}_filter_operators`),
  ...['count', 'date', 'time', 'datetime'].map((type) => `${type}_function_filter_operators`),
]);

export const isName = (name: string): boolean => valid.test(name);

/** `inventory.items` of another SQL schema is `inventory__items`; null when GraphQL has no name for it. */
export function nameOfCollection(collection: string): string | null {
  const name = collection.replaceAll('.', '__');
  return isName(name) && !reserved.has(name) ? name : null;
}
