// What is known of each collection before fields and relations are built: its table, its metadata rows, its definition.

import { collectionName, isSystemTable } from './collection-name.js';
import type { ColumnType } from './field-type.js';
import { type MetaRow, textOf } from './meta-row.js';
import type { RawColumn, RawDatabase, RawTable } from './raw.js';
import type { Metadata } from './schema.js';
import type { SystemDefinition } from './system-definition.js';

export interface CollectionSource {
  readonly name: string;
  readonly table: RawTable | null;
  readonly system: boolean;
  readonly meta: MetaRow | null;
  readonly columns: ReadonlyMap<string, RawColumn>;
  readonly fieldMeta: ReadonlyMap<string, MetaRow>;
  /** Types a definition states; they stand above what the column alone says. */
  readonly declared: ReadonlyMap<string, ColumnType>;
}

export type CollectionSources = ReadonlyMap<string, CollectionSource>;

export function gatherSources(
  database: RawDatabase,
  metadata: Metadata,
  definitions: readonly SystemDefinition[],
  systemSchema: string | null,
): CollectionSources {
  const collectionMeta = firstByName(metadata.collections);
  const fieldMeta = groupFieldRows(metadata.fields);
  const sources = new Map<string, CollectionSource>();
  const add = (name: string, table: RawTable | null, definition: SystemDefinition | null): void => {
    sources.set(name, makeSource(name, table, definition, collectionMeta.get(name) ?? null, fieldMeta.get(name) ?? new Map()));
  };
  for (const table of database.tables.toSorted(byName)) {
    if (!isSystemTable(table, systemSchema)) add(collectionName(table), table, null);
  }
  for (const definition of definitions.filter((candidate) => !candidate.internal)) {
    const table = database.tables.find((candidate) => candidate.name === definition.collection && candidate.schema === systemSchema);
    if (table) add(definition.collection, withoutHidden(table, definition), definition);
  }
  const defined = new Set(definitions.map((definition) => definition.collection));
  for (const name of collectionMeta.keys()) {
    if (!sources.has(name) && !defined.has(name)) add(name, null, null);
  }
  return sources;
}

function makeSource(
  name: string,
  table: RawTable | null,
  definition: SystemDefinition | null,
  meta: MetaRow | null,
  fieldMeta: ReadonlyMap<string, MetaRow>,
): CollectionSource {
  return {
    name,
    table,
    system: definition !== null,
    meta,
    columns: new Map(table?.columns.map((column) => [column.name, withComment(column, fieldMeta.get(column.name))])),
    fieldMeta: new Map([...fieldMeta].map(([field, row]) => [field, withoutComment(row)])),
    declared: new Map(definition?.fields.map((field) => [field.field, field.type])),
  };
}

/** Where a vendor keeps no comments on columns, the metadata row keeps them; they belong to the column all the same. */
function withComment(column: RawColumn, row: MetaRow | undefined): RawColumn {
  const comment = textOf(row, 'column_comment');
  return comment === null || column.comment !== null ? column : { ...column, comment };
}

function withoutComment(row: MetaRow): MetaRow {
  const { column_comment: _, ...shown } = row;
  return shown;
}

function withoutHidden(table: RawTable, definition: SystemDefinition): RawTable {
  const hidden = new Set(definition.fields.filter((field) => field.hidden).map((field) => field.field));
  return { ...table, columns: table.columns.filter((column) => !hidden.has(column.name)) };
}

/** Catalogues differ in order; names given to inferred fields must not. The default schema comes first, so that its names stay short. */
function byName(a: RawTable, b: RawTable): number {
  if ((a.schema === null) !== (b.schema === null)) return a.schema === null ? -1 : 1;
  return collectionName(a) < collectionName(b) ? -1 : 1;
}

/** The first row of a name counts: the definitions' rows come first and cannot be overruled. */
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
