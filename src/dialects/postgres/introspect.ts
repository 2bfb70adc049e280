// The structure of the database as raw facts: the catalogue's rows, with attribute numbers turned into names.

import type { ForeignKeyAction, RawColumn, RawDatabase, RawForeignKey, RawIndex, RawTable } from '../../core/schema/raw.js';
import type { Connection } from '../../core/vendor/driver.js';
import { type ColumnFacts, catalogueText, type ForeignKeyFacts, type IndexFacts, type TableFacts } from './catalogue.js';
import { readDefault } from './read-default.js';
import { readType } from './types.js';

export async function introspect(connection: Connection): Promise<RawDatabase> {
  const rows = await connection.rows({ text: catalogueText, values: [] });
  const facts = rows.map((row) => JSON.parse(String(row[0])) as TableFacts);
  const byOid = new Map(facts.map((table) => [table.oid, table]));
  return { tables: facts.map((table) => readTable(table, byOid)) };
}

export async function hasPostgis(connection: Connection): Promise<boolean> {
  const rows = await connection.rows({ text: "SELECT 1 FROM pg_extension WHERE extname = 'postgis'", values: [] });
  return rows.length > 0;
}

function readTable(facts: TableFacts, byOid: ReadonlyMap<number, TableFacts>): RawTable {
  const names = columnNames(facts);
  const indexes = facts.indexes.map((index) => readIndex(index, names));
  const primary = facts.indexes.findIndex(([, , , isPrimary]) => isPrimary);
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
    estimatedRows: facts.estimatedRows < 0 || facts.relkind === 'v' ? null : facts.estimatedRows,
    vendor: { relkind: facts.relkind, constraints: facts.indexes.filter(([, , , , , isConstraint]) => isConstraint).map(([name]) => name) },
  };
}

const columnNames = (facts: TableFacts): ReadonlyMap<number, string> => new Map(facts.columns.map(([attnum, name]) => [attnum, name]));

const namesOf = (attnums: readonly number[], names: ReadonlyMap<number, string>): readonly string[] =>
  attnums.flatMap((attnum) => names.get(attnum) ?? []);

function readIndex([name, attnums, unique, , partial]: IndexFacts, names: ReadonlyMap<number, string>): RawIndex {
  // Expressions have the number 0; what stands behind one says nothing about how the index can be used.
  const expression = attnums.indexOf(0);
  return { name, columns: namesOf(expression === -1 ? attnums : attnums.slice(0, expression), names), unique, partial };
}

function readColumn(facts: ColumnFacts, indexes: readonly RawIndex[], primaryKey: readonly string[]): RawColumn {
  const [, name, sqlType, dataType, typmod, category, notNull, defaultText, identity, generated, comment, sequence, enumValues] = facts;
  const { type, maxLength, precision, scale } = readType(dataType, sqlType, typmod, category === 'E');
  const isGenerated = generated !== '';
  const counter = identity === '' ? null : { kind: 'counter' as const, value: `nextval('${sequence}'::regclass)` };
  const value = isGenerated ? null : (counter ?? readDefault(defaultText, type));
  return {
    name,
    dataType,
    type,
    default: value,
    maxLength,
    precision,
    scale,
    generated: isGenerated,
    generationExpression: isGenerated ? defaultText : null,
    nullable: !notNull,
    unique: indexes.some((index) => index.unique && !index.partial && index.columns.length === 1 && index.columns[0] === name),
    indexed: indexes.some((index) => index.columns[0] === name),
    primaryKey: primaryKey.includes(name),
    autoIncrement: value?.kind === 'counter',
    comment,
    collation: null,
    vendor: {
      sqlType,
      category,
      ...(identity === '' ? {} : { identity }),
      ...(sequence === null ? {} : { sequence }),
      ...(enumValues === null ? {} : { enumValues }),
    },
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
  // The referenced table is not visible to this user.
  if (foreign === undefined) return [];
  return [
    {
      name,
      columns: namesOf(attnums, names),
      foreignSchema: foreign.schema,
      foreignTable: foreign.name,
      foreignColumns: namesOf(foreignAttnums, columnNames(foreign)),
      onDelete: actions[onDelete] ?? 'NO ACTION',
      onUpdate: actions[onUpdate] ?? 'NO ACTION',
    },
  ];
}
