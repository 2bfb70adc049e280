// Introspection on SQLite: reads the structure of the whole file as raw facts. The catalogue's pragmas omit checks, constraint names,
// generation expressions and triggers, so these are parsed from the stored CREATE statements (table-source.ts, read-triggers.ts).

import { type RawDatabase, type RawTable, type RowEvent, rowEvents } from '../../../core/schema/raw.js';
import { groupBy } from '../../../core/util/group-by.js';
import type { SystemTables, ViewText } from '../../../core/vendor/dialect.js';
import type { Connection } from '../../../core/vendor/driver.js';
import { readViewTexts } from '../../../core/vendor/view-texts.js';
import type { TableVendorFacts } from '../types/vendor-facts.js';
import { type Catalogue, type ColumnFact, type ObjectFact, readCatalogue } from './catalogue.js';
import { readColumn } from './read-column.js';
import { countValues, readForeignKeys, readIndexes } from './read-keys.js';
import { readChecks, readTriggers } from './read-triggers.js';
import { sampleForms } from './sample-forms.js';
import { parseTableSource } from './table-source.js';

export async function introspect(connection: Connection, only?: SystemTables): Promise<RawDatabase> {
  const catalogue = await readCatalogue(connection, only?.names);
  const facts = groupFacts(catalogue);
  const tables = catalogue.objects.filter((object) => isListed(object, catalogue) && facts.columns.has(object.name));
  return {
    tables: await sampleForms(
      connection,
      tables.map((object) => readTable(object, catalogue, facts)),
    ),
  };
}

/** SQLite itself increments this number with every change of the structure, whichever program makes it. */
export async function readChangeToken(connection: Connection): Promise<string> {
  const [row] = await connection.rows({ kind: 'read', text: 'SELECT schema_version FROM pragma_schema_version', values: [] });
  return String(row?.[0]);
}

const viewsText = `SELECT NULL, name, sql FROM sqlite_schema WHERE type = 'view' ORDER BY name`;

export const readViews = (connection: Connection): Promise<readonly ViewText[]> => readViewTexts(connection, viewsText);

/** A view has INSTEAD OF triggers only, and is written by nothing else. */
export const writableEvents = async (_: Connection, { kind, triggers }: RawTable): Promise<ReadonlySet<RowEvent>> =>
  kind === 'table' ? new Set(rowEvents) : (triggers?.events ?? new Set());

type GroupedFacts = ReturnType<typeof groupFacts>;

function groupFacts(catalogue: Catalogue) {
  return {
    columns: groupBy(catalogue.columns, (column) => column.table),
    indexColumns: groupBy(catalogue.indexColumns, (column) => column.table),
    foreignKeys: groupBy(catalogue.foreignKeys, (key) => key.table),
    statistics: groupBy(catalogue.statistics, (statistic) => statistic.table),
    parts: groupBy(
      catalogue.objects.filter((object) => object.type === 'index' || object.type === 'trigger'),
      (object) => object.table.toLowerCase(),
    ),
    /** By the name in lower case: SQLite compares names without case, so a foreign key may spell its target differently. */
    tableByName: new Map(
      catalogue.objects.filter((object) => object.type === 'table').map((object) => [object.name.toLowerCase(), object.name]),
    ),
  };
}

const isListed = (object: ObjectFact, catalogue: Catalogue): boolean =>
  object.type === 'view' || (object.type === 'table' && !catalogue.shadow.has(object.name));

function readTable(object: ObjectFact, catalogue: Catalogue, facts: GroupedFacts): RawTable {
  const columns = (facts.columns.get(object.name) ?? []).filter((column) => column.hidden !== 1);
  // The module of a virtual table decides what a write does: such tables are served read-only, as views.
  const kind = object.type === 'view' || catalogue.virtual.has(object.name) ? 'view' : 'table';
  const source = object.type === 'table' ? parseTableSource(object.sql) : null;
  const primaryKey = kind === 'view' ? [] : keyOf(columns);
  const vendor = vendorFacts(object, facts);
  const texts = new Map(vendor.indexes.map(({ name, sql }) => [name, sql]));
  const indexes = readIndexes(facts.indexColumns.get(object.name) ?? [], texts);
  const values = countValues(indexes, facts.statistics.get(object.name) ?? []);
  return {
    schema: null,
    name: object.name,
    kind,
    comment: null,
    columns: columns.map((column) => readColumn(column, { source, primaryKey, indexes, kind, values })),
    primaryKey,
    foreignKeys: readForeignKeys(facts.foreignKeys.get(object.name) ?? [], source, facts),
    indexes,
    checks: readChecks(source),
    partitionedBy: [],
    triggers: readTriggers(vendor.triggers.map(({ sql }) => sql)),
    estimatedRows: null,
    vendor: { ...vendor },
  };
}

const keyOf = (columns: readonly ColumnFact[]): readonly string[] =>
  columns
    .filter((column) => column.key > 0)
    .sort((a, b) => a.key - b.key)
    .map((column) => column.name);

function vendorFacts(object: ObjectFact, facts: GroupedFacts): TableVendorFacts {
  const parts = (facts.parts.get(object.name.toLowerCase()) ?? []).filter((part) => part.sql !== '');
  const pick = (type: string): TableVendorFacts['indexes'] =>
    parts.filter((part) => part.type === type).map(({ name, sql }) => ({ name, sql }));
  return { sql: object.sql, indexes: pick('index'), triggers: pick('trigger') };
}
