// The service's own tables as a database has them. Code names a system collection as its definition does (`service_users`). A database that
// another server made has the same table under that server's prefix (`directus_users`), perhaps without some columns and with others.
// Its wire decides what requests, answers and stored names call it. This is the one place where names of the code become those of the
// database and of the wire: whatever writes SQL for a system table asks here, and so does the builder of the schema.

import type { RawColumn, RawDatabase } from './raw.js';
import { droppedPrefix, type SystemDefinition, type SystemField, systemPrefix } from './system-definition.js';
import type { TableName } from './table-name.js';
import type { ColumnType } from './types/field-type.js';

/** The form of requests and answers: that of the specification, or that of the server whose protocol it is. Kept with the database. */
export type Wire = 'tain' | 'directus';

/** What the names of system collections begin with in requests, answers and stored data. */
const wirePrefix: Readonly<Record<Wire, string>> = { tain: systemPrefix, directus: 'directus_' };

/** What clients are told that ask for the version of the protocol: they refuse servers of other versions. */
const protocolVersion = '11.17.4';

interface SystemTable {
  readonly table: TableName;
  /** The definition under the name of the wire, with the columns that its table has. */
  readonly definition: SystemDefinition;
  /** The columns as found; null: the service made the table, so they are those of the definition. */
  readonly columns: ReadonlyMap<string, RawColumn> | null;
  /** The columns of the definition that the table does not have. */
  readonly lacking: readonly SystemField[];
}

export interface SystemHome {
  /** The SQL schema of the tables that the service makes; null: the connection's default. */
  readonly schema: string | null;
  readonly wire: Wire;
  /** The version of the protocol whose form the wire has; null on the wire of the specification. */
  readonly protocol: string | null;
  /** The server whose tables are used; null: all tables are the service's own. */
  readonly adopted: Adoption | null;
  /** All definitions, under the names of the wire and with the columns that this database has. */
  readonly definitions: readonly SystemDefinition[];
  /** Those whose tables the service makes, under the names of their tables. */
  readonly made: readonly SystemDefinition[];
  /** The table of a definition; a definition that is none of the service's has a table of its own name. */
  find(definition: SystemDefinition): SystemTable;
  /** Whether a table is no collection unless a definition says so: it is a table of the service, or of the server that was adopted. */
  isReserved(table: TableName): boolean;
  /** What the wire calls a system collection, whichever wire the name is of; other names stay as they are. */
  readonly nameOf: (name: string) => string;
  /** What the code calls a system collection that the wire names. */
  codeNameOf(name: string): string;
}

interface Names {
  readonly nameOf: (name: string) => string;
  readonly codeNameOf: (name: string) => string;
}

function namesOn(wire: Wire, definitions: readonly SystemDefinition[]): Names {
  const codes = definitions.filter(({ internal }) => !internal).map(({ collection }) => collection);
  const on = (prefix: string, code: string): string => `${prefix}${code.slice(systemPrefix.length)}`;
  const byName = new Map(codes.map((code) => [on(wirePrefix[wire], code), code]));
  const byAny = new Map(Object.values(wirePrefix).flatMap((prefix) => codes.map((code) => [on(prefix, code), on(wirePrefix[wire], code)])));
  return { nameOf: (name) => byAny.get(name) ?? name, codeNameOf: (name) => byName.get(name) ?? name };
}

/** The names that system collections have on a wire, by the names of the other. */
export function renamedFor(wire: Wire, definitions: readonly SystemDefinition[]): ReadonlyMap<string, string> {
  const { nameOf } = namesOn(wire, definitions);
  const other = namesOn(wire === 'tain' ? 'directus' : 'tain', definitions);
  const codes = definitions.filter(({ internal }) => !internal).map(({ collection }) => collection);
  return new Map(codes.map((code) => [other.nameOf(code), nameOf(code)]));
}

/** What is known of a server whose tables the service can use as its own. */
export interface Adoption {
  /** The version whose answers clients of its database expect. */
  readonly version: string;
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
export function ownHome(definitions: readonly SystemDefinition[], schema: string | null = null, wire: Wire = 'tain'): SystemHome {
  const { nameOf, codeNameOf } = namesOn(wire, definitions);
  const named = new Map(definitions.map((definition) => [definition.collection, onWire(definition, nameOf)]));
  const isOwn = reservedNames(definitions, schema);
  return {
    schema,
    wire,
    protocol: wire === 'tain' ? null : protocolVersion,
    adopted: null,
    definitions: [...named.values()],
    made: definitions,
    find: (definition) => {
      const code = codeNameOf(definition.collection);
      return { table: { schema, name: code }, definition: named.get(code) ?? definition, columns: null, lacking: [] };
    },
    // A table under the name that a system collection has on the wire could not be told from it.
    isReserved: (table) => isOwn(table) || (table.schema === null && codeNameOf(table.name) !== table.name),
    nameOf,
    codeNameOf,
  };
}

const onWire = (definition: SystemDefinition, nameOf: Names['nameOf']): SystemDefinition =>
  definition.internal
    ? definition
    : {
        ...definition,
        collection: nameOf(definition.collection),
        relations: definition.relations.map((relation) => ({ ...relation, related: nameOf(relation.related) })),
      };

/** A database of another server: its tables serve as those of the same meaning; what it has no table for is the service's own, and in `schema`. */
export function adoptedHome(
  definitions: readonly SystemDefinition[],
  schema: string | null,
  adopted: Adoption,
  database: RawDatabase,
): SystemHome {
  const { nameOf, codeNameOf } = namesOn('directus', definitions);
  const found = definitions.flatMap((definition) => {
    const name = definition.internal ? null : nameOf(definition.collection);
    const table = database.tables.find((candidate) => candidate.name === name && candidate.schema === null);
    if (table === undefined) return [];
    const columns = new Map(table.columns.map((column) => [column.name, column]));
    return [[definition.collection, adoptTable(definition, columns, adopted, nameOf)] as const];
  });
  const theirs = new Set(found.map(([collection]) => collection));
  const made = [...definitions.filter(({ collection }) => !theirs.has(collection)), adopted.beside].map(withoutKeys);
  const isOwn = reservedNames(made, schema);
  const own = made.map((definition) => {
    const table = { ...ownTable(definition, schema), definition: onWire(definition, nameOf) };
    return [definition.collection, table] as const;
  });
  const tables = new Map([...own, ...found]);
  return {
    schema,
    wire: 'directus',
    protocol: adopted.version,
    adopted,
    definitions: [...tables.values()].map(({ definition }) => definition),
    made,
    find: (definition) => tables.get(codeNameOf(definition.collection)) ?? ownTable(definition, schema),
    // That server has tables for which the service has no definition.
    isReserved: (table) => isOwn(table) || (table.schema === null && table.name.startsWith(wirePrefix.directus)),
    nameOf,
    codeNameOf,
  };
}

/**
 * Only the names that the service uses are its own: `service_orders` is a table like any other. Where its tables lie in a schema of their own, the
 * names of its collections remain taken in the default schema, since a collection there has no other name.
 */
function reservedNames(definitions: readonly SystemDefinition[], schema: string | null): (table: TableName) => boolean {
  const all = new Set(definitions.map(({ collection }) => collection));
  const shown = new Set(definitions.filter(({ internal }) => !internal).map(({ collection }) => collection));
  return ({ schema: place, name }) =>
    (place === schema && all.has(name)) || (place === null && shown.has(name)) || name.startsWith(droppedPrefix);
}

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
      fields: [...definition.fields, ...definition.others]
        .filter(({ field }) => columns.has(field))
        .map((field) => ({ ...field, type: other[field.field] ?? field.type })),
      others: definition.others.filter(({ field }) => !columns.has(field)),
      relations: definition.relations
        .filter(({ field }) => columns.has(field))
        .map((relation) => ({ ...relation, related: nameOf(relation.related) })),
    },
  };
}
