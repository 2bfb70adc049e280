// The whole structure as raw facts: the catalogue's rows, completed by what only the CREATE statements say.

import type { RawDatabase, RawTable } from '../../core/schema/raw.js';
import type { Connection } from '../../core/vendor/driver.js';
import { type Catalogue, type ColumnFact, type ObjectFact, readCatalogue } from './catalogue.js';
import { groupBy } from './group-by.js';
import { readColumn } from './read-column.js';
import { readForeignKeys } from './read-foreign-keys.js';
import { readIndexes } from './read-indexes.js';
import { countValues } from './read-statistics.js';
import { parseTableSource } from './table-source.js';
import type { TableVendorFacts } from './vendor-facts.js';

export async function introspect(connection: Connection): Promise<RawDatabase> {
  const catalogue = await readCatalogue(connection);
  const facts = groupFacts(catalogue);
  const tables = catalogue.objects.filter((object) => isListed(object, catalogue) && facts.columns.has(object.name));
  return { tables: tables.map((object) => readTable(object, catalogue, facts)) };
}

/** Changes with every change of the structure, by whomever. */
export async function readChangeToken(connection: Connection): Promise<string> {
  const [row] = await connection.rows({ text: 'SELECT schema_version FROM pragma_schema_version', values: [] });
  return String(row?.[0]);
}

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
    /** SQLite compares names without case; foreign keys may be written in another. */
    tableByName: new Map(
      catalogue.objects.filter((object) => object.type === 'table').map((object) => [object.name.toLowerCase(), object.name]),
    ),
  };
}

const isListed = (object: ObjectFact, catalogue: Catalogue): boolean =>
  object.type === 'view' || (object.type === 'table' && !catalogue.shadow.has(object.name));

function readTable(object: ObjectFact, catalogue: Catalogue, facts: GroupedFacts): RawTable {
  const columns = (facts.columns.get(object.name) ?? []).filter((column) => column.hidden !== 1);
  // Rows of a virtual table follow rules of its own: read, never written.
  const kind = object.type === 'view' || catalogue.virtual.has(object.name) ? 'view' : 'table';
  const source = object.type === 'table' ? parseTableSource(object.sql) : null;
  const primaryKey = kind === 'view' ? [] : keyOf(columns);
  const indexes = readIndexes(facts.indexColumns.get(object.name) ?? []);
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
    estimatedRows: null,
    vendor: { ...vendorFacts(object, facts) },
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
