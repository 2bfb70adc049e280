// Introspection on PostgreSQL: turns the rows of the catalogue statement (catalogue.ts) into raw facts, and attribute numbers into names.

import type { ForeignKeyAction, RawDatabase, RawForeignKey, RawIndex, RawTable, RawTriggers, RowEvent } from '../../../core/schema/raw.js';
import type { SystemTables, ViewText } from '../../../core/vendor/dialect.js';
import type { Connection } from '../../../core/vendor/driver.js';
import { readViewTexts } from '../../../core/vendor/view-texts.js';
import { quoteTable } from '../types/quote.js';
import { catalogueText, type ForeignKeyFacts, type IndexFacts, namedTablesText, type TableFacts, type TriggerFacts } from './catalogue.js';
import { readColumn } from './read-column.js';

export async function introspect(connection: Connection, only?: SystemTables): Promise<RawDatabase> {
  const rows = await connection.rows(
    only === undefined
      ? { kind: 'read', text: catalogueText, values: [], prepare: true }
      : { kind: 'read', text: namedTablesText, values: [only.schema, only.names.join()] },
  );
  const facts = rows.map((row) => JSON.parse(String(row[0])) as TableFacts);
  const byOid = new Map(facts.map((table) => [table.oid, table]));
  return { tables: facts.map((table) => readTable(table, byOid)) };
}

export async function hasPostgis(connection: Connection): Promise<boolean> {
  const rows = await connection.rows({ kind: 'read', text: "SELECT 1 FROM pg_extension WHERE extname = 'postgis'", values: [] });
  return rows.length > 0;
}

const viewsText = `SELECT nullif(n.nspname, current_schema())::text, c.relname::text, pg_get_viewdef(c.oid)
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('v', 'm') AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' ORDER BY 1, 2`;

export const readViews = (connection: Connection): Promise<readonly ViewText[]> => readViewTexts(connection, viewsText);

/** Asked of one table at a time: the server opens what it reads, and waits for those who change it. */
const writableText = 'SELECT pg_relation_is_updatable(to_regclass($1)::oid, true)';

/** By bits that count from the number of the statement: 4 update, 8 insert, 16 delete. */
const writableBits: readonly (readonly [RowEvent, number])[] = [
  ['insert', 8],
  ['update', 4],
  ['delete', 16],
];

export async function writableEvents(connection: Connection, table: RawTable): Promise<ReadonlySet<RowEvent>> {
  const [row] = await connection.rows({ kind: 'read', text: writableText, values: [quoteTable(table)] });
  const bits = Number(row?.[0] ?? 0);
  return new Set(writableBits.flatMap(([event, bit]) => ((bits & bit) === 0 ? [] : [event])));
}

function readTable(facts: TableFacts, byOid: ReadonlyMap<number, TableFacts>): RawTable {
  const names = columnNames(facts);
  // An index over a column that the user may not read says nothing about the columns beside it.
  const visible = facts.indexes.filter(([, attnums]) => attnums.every((attnum) => attnum === 0 || names.has(attnum)));
  const indexes = visible.map((index) => readIndex(index, names));
  const primary = visible.findIndex(([, , , isPrimary]) => isPrimary);
  const primaryKey = indexes[primary]?.columns ?? [];
  return {
    schema: facts.schema,
    name: facts.name,
    kind: facts.relkind === 'v' || facts.relkind === 'm' ? 'view' : 'table',
    comment: facts.comment,
    columns: facts.columns.map((column) => readColumn(column, indexes, primaryKey)),
    primaryKey,
    foreignKeys: facts.foreignKeys.flatMap((key) => readForeignKey(key, names, byOid)),
    indexes,
    checks: facts.checks.map(([name, attnums]) => ({ name, columns: namesOf(attnums, names) })),
    partitionedBy: namesOf(facts.partitionedBy, names),
    triggers: facts.triggers === null ? null : readTriggers(facts.triggers),
    estimatedRows: facts.estimatedRows < 0 || facts.relkind === 'v' ? null : facts.estimatedRows,
    vendor: { relkind: facts.relkind, constraints: facts.indexes.filter(([, , , , , isConstraint]) => isConstraint).map(([name]) => name) },
  };
}

/** As in pg_trigger.tgtype. */
const eventBits: readonly (readonly [RowEvent, number])[] = [
  ['insert', 4],
  ['delete', 8],
  ['update', 16],
];

function readTriggers([events, before, silent]: TriggerFacts): RawTriggers {
  const eventsOf = (bits: number): ReadonlySet<RowEvent> =>
    new Set(eventBits.flatMap(([event, bit]) => ((bits & bit) === 0 ? [] : [event])));
  return { events: eventsOf(events), before: eventsOf(before), silent };
}

const columnNames = (facts: TableFacts): ReadonlyMap<number, string> => new Map(facts.columns.map(([attnum, name]) => [attnum, name]));

const namesOf = (attnums: readonly number[], names: ReadonlyMap<number, string>): readonly string[] =>
  attnums.flatMap((attnum) => names.get(attnum) ?? []);

function readIndex([name, attnums, unique, , partial, constraint, definition]: IndexFacts, names: ReadonlyMap<number, string>): RawIndex {
  // An expression has the number 0. The columns after it do not count: the index cannot be used for them without the expression.
  const expression = attnums.indexOf(0);
  return {
    name,
    columns: namesOf(expression === -1 ? attnums : attnums.slice(0, expression), names),
    unique,
    partial,
    ...(constraint ? { constraint } : {}),
    ...(definition === null ? {} : { definition }),
  };
}

const actions: Readonly<Record<string, ForeignKeyAction>> = {
  a: 'NO ACTION',
  r: 'RESTRICT',
  c: 'CASCADE',
  n: 'SET NULL',
  d: 'SET DEFAULT',
};

function readForeignKey(
  facts: ForeignKeyFacts,
  names: ReadonlyMap<number, string>,
  byOid: ReadonlyMap<number, TableFacts>,
): readonly RawForeignKey[] {
  const [name, attnums, foreignOid, foreignAttnums, onDelete, onUpdate] = facts;
  const foreign = byOid.get(foreignOid);
  // The user has no right to the referenced table, or to a column of the key.
  if (foreign === undefined) return [];
  const foreignNames = columnNames(foreign);
  if (!attnums.every((attnum) => names.has(attnum)) || !foreignAttnums.every((attnum) => foreignNames.has(attnum))) return [];
  return [
    {
      name,
      columns: namesOf(attnums, names),
      foreignSchema: foreign.schema,
      foreignTable: foreign.name,
      foreignColumns: namesOf(foreignAttnums, foreignNames),
      onDelete: actions[onDelete] ?? 'NO ACTION',
      onUpdate: actions[onUpdate] ?? 'NO ACTION',
    },
  ];
}
