// The inputs of each collection before fields and relations are built: its table, its metadata rows, its definition.

import { type MetaRow, textOf } from '../meta-row.js';
import type { RawColumn, RawDatabase, RawTable } from '../raw.js';
import type { Collection, Metadata } from '../schema.js';
import type { Subject, SystemDefinition } from '../system-definition.js';
import type { SystemHome } from '../system-home.js';
import { collectionName } from '../table-name.js';
import type { ColumnType } from '../types/field-type.js';
import { withNamedKey } from './named-key.js';

export interface CollectionSource {
  readonly name: string;
  readonly table: RawTable | null;
  readonly system: boolean;
  readonly codeName: string | null;
  readonly meta: MetaRow | null;
  readonly about: Subject | null;
  readonly demanded: readonly string[];
  readonly loose: Collection['loose'];
  readonly unused: Collection['unused'];
  readonly columns: ReadonlyMap<string, RawColumn>;
  readonly fieldMeta: ReadonlyMap<string, MetaRow>;
  /** The types that a system definition declares; they take precedence over the type of the column. */
  readonly declared: ReadonlyMap<string, ColumnType>;
}

/** Relations do not cross from one database to another. */
export const canRelate = (one: CollectionSource, other: CollectionSource | undefined): boolean =>
  other !== undefined && (one.table?.mirrored ?? false) === (other.table?.mirrored ?? false);

export type CollectionSources = ReadonlyMap<string, CollectionSource>;

export function gatherSources(found: RawDatabase, metadata: Metadata, system: SystemHome): CollectionSources {
  const database = system.adopted === null ? found : { tables: found.tables.map(withMilliseconds) };
  const collectionMeta = firstByName(metadata.collections);
  const fieldMeta = groupFieldRows(metadata.fields);
  const sources = new Map<string, CollectionSource>();
  const add = (name: string, table: RawTable | null, definition: SystemDefinition | null): void => {
    const codeName = definition === null ? null : system.codeNameOf(name);
    const source = makeSource(name, table, definition, collectionMeta.get(name) ?? null, fieldMeta.get(name) ?? new Map());
    sources.set(name, { ...source, codeName });
  };
  for (const table of database.tables.toSorted(byName)) {
    if (!system.isReserved(table)) add(collectionName(table), table, null);
  }
  for (const definition of system.definitions.filter((candidate) => !candidate.internal)) {
    const place = system.find(definition).table;
    const table = database.tables.find((candidate) => candidate.name === place.name && candidate.schema === place.schema);
    const described = system.adopted === null ? null : fieldMeta.get(definition.collection);
    if (table) add(definition.collection, withoutHidden(table, definition, described), definition);
  }
  const defined = new Set(system.definitions.map((definition) => definition.collection));
  for (const name of collectionMeta.keys()) {
    if (!sources.has(name) && !defined.has(name)) add(name, null, null);
  }
  return sources;
}

/** Directus answers timestamps with milliseconds, whatever precision the column has, and its clients may rely on it. */
const withMilliseconds = (table: RawTable): RawTable => ({
  ...table,
  columns: table.columns.map((column) => (column.fraction === undefined ? column : { ...column, fraction: Math.min(column.fraction, 3) })),
});

function makeSource(
  name: string,
  table: RawTable | null,
  definition: SystemDefinition | null,
  meta: MetaRow | null,
  fieldMeta: ReadonlyMap<string, MetaRow>,
): Omit<CollectionSource, 'codeName'> {
  return {
    name,
    table: definition === null && table !== null ? withNamedKey(table, fieldMeta) : table,
    system: definition !== null,
    meta,
    about: definition?.about ?? null,
    demanded: definition?.demanded ?? [],
    loose: definition === null ? none : looseIn(definition),
    unused: definition === null ? nothing : unusedIn(definition),
    columns: new Map(table?.columns.map((column) => [column.name, withComment(column, fieldMeta.get(column.name))])),
    fieldMeta: new Map([...fieldMeta].map(([field, row]) => [field, withoutComment(row)])),
    declared: new Map(definition?.fields.map((field) => [field.field, field.type])),
  };
}

const none: Collection['loose'] = new Set();
const nothing: Collection['unused'] = new Map();

const looseIn = ({ relations }: SystemDefinition): Collection['loose'] =>
  new Set(relations.filter(({ onDelete }) => onDelete === null).map(({ field }) => field));

/** Clients send whole objects of other versions and servers: null for what is hidden here, and settings of features that are not here. */
const unusedIn = ({ fields, others }: SystemDefinition): Collection['unused'] =>
  new Map([
    ...fields.filter(({ hidden }) => hidden).map(({ field }) => [field, 'null'] as const),
    ...others.map(({ field }) => [field, 'any'] as const),
  ]);

/** On vendors without column comments, the metadata row stores the comment; it is moved to the column, where every reader expects it. */
function withComment(column: RawColumn, row: MetaRow | undefined): RawColumn {
  const comment = textOf(row, 'column_comment');
  return comment === null || column.comment !== null ? column : { ...column, comment };
}

function withoutComment(row: MetaRow): MetaRow {
  const { column_comment: _, ...shown } = row;
  return shown;
}

/** `described`: of the tables of another server only the columns that a definition or a metadata row knows are shown; null: all are. */
function withoutHidden(
  table: RawTable,
  definition: SystemDefinition,
  described: ReadonlyMap<string, MetaRow> | null | undefined,
): RawTable {
  const hidden = new Set(definition.fields.filter((field) => field.hidden).map((field) => field.field));
  const defined = new Set(definition.fields.map((field) => field.field));
  const isShown = ({ name }: RawColumn): boolean =>
    !hidden.has(name) && (described === null || defined.has(name) || described?.has(name) === true);
  return { ...table, columns: table.columns.filter(isShown) };
}

/**
 * Catalogues list tables in different orders, but generated field names must not depend on it. The default schema comes first, so that its
 * names stay short.
 */
function byName(a: RawTable, b: RawTable): number {
  if ((a.schema === null) !== (b.schema === null)) return a.schema === null ? -1 : 1;
  return collectionName(a) < collectionName(b) ? -1 : 1;
}

/** The first row of a name wins: rows of definitions come first and cannot be overridden. */
function firstByName(rows: readonly MetaRow[]): ReadonlyMap<string, MetaRow> {
  const byName = new Map<string, MetaRow>();
  for (const row of rows) {
    const name = textOf(row, 'collection');
    if (name !== null && !byName.has(name)) byName.set(name, row);
  }
  return byName;
}

function groupFieldRows(rows: readonly MetaRow[]): ReadonlyMap<string, ReadonlyMap<string, MetaRow>> {
  const byCollection = new Map<string, Map<string, MetaRow>>();
  for (const row of rows) {
    const collection = textOf(row, 'collection');
    const field = textOf(row, 'field');
    if (collection === null || field === null) continue;
    const fields = byCollection.get(collection) ?? new Map<string, MetaRow>();
    if (!fields.has(field)) fields.set(field, row);
    byCollection.set(collection, fields);
  }
  return byCollection;
}
