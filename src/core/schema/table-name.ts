// The name of a table with its SQL schema, and the names of collections derived from it.

/** `schema` null: the connection's default schema. */
export interface TableName {
  readonly schema: string | null;
  readonly name: string;
}

/** Tables of the default schema go by their name, others as `schema.table`. */
export const collectionName = (table: TableName): string => (table.schema === null ? table.name : `${table.schema}.${table.name}`);
