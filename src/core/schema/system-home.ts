// The service's own tables as a database has them. Code names a system collection as its definition does (`service_users`). A database that
// another server made has the same table under that server's prefix (`directus_users`), perhaps without some columns and with others.
// This is the one place where names of the code become names of the database: whatever writes SQL for a system table asks here, and so
// does the builder of the schema, so that requests, metadata and stored data all use the names of the database.

import type { RawColumn, RawDatabase } from './raw.js';
import { type SystemDefinition, type SystemField, systemPrefix } from './system-definition.js';
import type { TableName } from './table-name.js';
import type { ColumnType } from './types/field-type.js';

interface SystemTable {
  readonly table: TableName;
  /** The definition under the name that this database uses, with the columns that its table has. */
  readonly definition: SystemDefinition;
  /** The columns as found; null: the service made the table, so they are those of the definition. */
  readonly columns: ReadonlyMap<string, RawColumn> | null;
  /** The columns of the definition that the table does not have. */
  readonly lacking: readonly SystemField[];
}

export interface SystemHome {
  /** The SQL schema of the tables that the service makes; null: the connection's default. */
  readonly schema: string | null;
  /** The server whose tables are used; null: all tables are the service's own. */
  readonly adopted: Adoption | null;
  /** All definitions, as this database has them. */
  readonly definitions: readonly SystemDefinition[];
  /** Those whose tables the service makes. */
  readonly made: readonly SystemDefinition[];
  /** The table of a definition; a definition that is none of the service's has a table of its own name. */
  find(definition: SystemDefinition): SystemTable;
  /** Whether a table is no collection unless a definition says so: it has a prefix of system tables. */
  isReserved(table: TableName): boolean;
  /** What this database calls a system collection that the code names; other names stay as they are. */
  readonly nameOf: (name: string) => string;
  /** What the code calls a system collection of this database. */
  codeNameOf(name: string): string;
}

/** What is known of a server whose tables the service can use as its own. */
export interface Adoption {
  readonly prefix: string;
  /** Columns whose values that server stores in another form: their types by collection and field, in the names of the code. */
  readonly types: Readonly<Record<string, Readonly<Record<string, ColumnType>>>>;
  /** Keeps what the service has to store and that server has no column for. */
  readonly beside: SystemDefinition;
  /** Differences of app access under that server, by collection: fields it reads in addition, and fields it does not read. */
  readonly appFields: Readonly<Record<string, { readonly more: readonly string[]; readonly fewer: readonly string[] }>>;
  /** Whether that server adds `$meta` to items read with a version even if the query does not select it. */
  readonly marksVersions: boolean;
}

/** A database in which the service made all of its tables. */
export function ownHome(definitions: readonly SystemDefinition[], schema: string | null = null): SystemHome {
  return {
    schema,
    adopted: null,
    definitions,
    made: definitions,
    find: (definition) => ownTable(definition, schema),
    isReserved: (table) => hasPrefix(table, systemPrefix, schema),
    nameOf: (name) => name,
    codeNameOf: (name) => name,
  };
}

/** A database of another server: its tables serve as those of the same meaning; internal tables are the service's own and are in `schema`. */
export function adoptedHome(
  definitions: readonly SystemDefinition[],
  schema: string | null,
  adopted: Adoption,
  database: RawDatabase,
): SystemHome {
  const shown = definitions.filter(({ internal }) => !internal).map(({ collection }) => collection);
  const byCode = new Map(shown.map((code) => [code, `${adopted.prefix}${code.slice(systemPrefix.length)}`]));
  const byName = new Map([...byCode].map(([code, name]) => [name, code]));
  const nameOf = (name: string): string => byCode.get(name) ?? name;
  const codeNameOf = (name: string): string => byName.get(name) ?? name;
  const made = [...definitions.filter(({ internal }) => internal), adopted.beside].map(withoutKeys);
  const found = definitions.flatMap((definition) => {
    const name = byCode.get(definition.collection);
    const table = database.tables.find((candidate) => candidate.name === name && candidate.schema === null);
    if (table === undefined) return [];
    const columns = new Map(table.columns.map((column) => [column.name, column]));
    return [[definition.collection, adoptTable(definition, columns, adopted, nameOf)] as const];
  });
  const tables = new Map([...made.map((definition) => [definition.collection, ownTable(definition, schema)] as const), ...found]);
  return {
    schema,
    adopted,
    definitions: [...tables.values()].map(({ definition }) => definition),
    made,
    find: (definition) => tables.get(codeNameOf(definition.collection)) ?? ownTable(definition, schema),
    isReserved: (table) => hasPrefix(table, systemPrefix, schema) || hasPrefix(table, adopted.prefix, null),
    nameOf,
    codeNameOf,
  };
}

/** The default schema is reserved, too, where the tables lie in another. */
const hasPrefix = (table: TableName, prefix: string, schema: string | null): boolean =>
  table.name.startsWith(prefix) && (table.schema === schema || table.schema === null);

const ownTable = (definition: SystemDefinition, schema: string | null): SystemTable => ({
  table: { schema, name: definition.collection },
  definition,
  columns: null,
  lacking: [],
});

/** The service's tables beside those of another server have no foreign keys to them, so that the other server can change its tables freely. */
const withoutKeys = (definition: SystemDefinition): SystemDefinition => ({
  ...definition,
  relations: definition.relations.map((relation) => ({ ...relation, onDelete: null })),
});

function adoptTable(
  definition: SystemDefinition,
  columns: ReadonlyMap<string, RawColumn>,
  { types }: Adoption,
  nameOf: (name: string) => string,
): SystemTable {
  const name = nameOf(definition.collection);
  const other = types[definition.collection] ?? {};
  return {
    table: { schema: null, name },
    columns,
    lacking: definition.fields.filter(({ field }) => !columns.has(field)),
    definition: {
      ...definition,
      collection: name,
      fields: definition.fields
        .filter(({ field }) => columns.has(field))
        .map((field) => ({ ...field, type: other[field.field] ?? field.type })),
      relations: definition.relations
        .filter(({ field }) => columns.has(field))
        .map((relation) => ({ ...relation, related: nameOf(relation.related) })),
    },
  };
}
