// From a table to the name of its collection: tables of the default schema by their name, others as `schema.table`.

import { systemPrefix } from './system-definition.js';
import type { TableName } from './table-name.js';

export const collectionName = (table: TableName): string => (table.schema === null ? table.name : `${table.schema}.${table.name}`);

/** A table in the place of the service's own tables, with their prefix. */
export const isSystemTable = (table: TableName, systemSchema: string | null): boolean =>
  table.name.startsWith(systemPrefix) && (table.schema === systemSchema || table.schema === null);
