// The Ddl port of PostgreSQL. A change runs in one transaction that can be rolled back, so no step needs an undo.

import { forbiddenCollection, unreachable } from '../../../core/errors/service-error.js';
import type { RawDatabase, RawTable } from '../../../core/schema/raw.js';
import type { TableName } from '../../../core/schema/table-name.js';
import { type ColumnSpec, type Ddl, type ForeignKeySpec, findTable, readBackType, type StructureChange } from '../../../core/vendor/ddl.js';
import { quoteLiteral, quoteName, quoteNames, quoteTable } from '../types/quote.js';
import { alterColumn } from './alter-column.js';
import { columnDefinition, commentOnColumn } from './column-definition.js';
import { addPrimaryKey, addUnique, createIndex, createNamedIndex, dropIndex, primaryKeyConstraint, uniqueConstraint } from './keys.js';

export interface DdlFacts {
  /** As of the last introspection. */
  readonly hasPostgis: () => boolean;
}

export function createDdl(facts: DdlFacts): Ddl {
  return {
    transactional: true,
    keepsComments: true,
    hasSchemas: true,
    keysNeedIndexes: false,
    steps: (change, before) => statements(change, before, facts.hasPostgis()).map((text) => ({ text, undo: null })),
    readBackType: (spec) => readBackType(spec.type),
  };
}

function statements(change: StructureChange, before: RawDatabase, hasPostgis: boolean): readonly string[] {
  const target = quoteTable(change.table);
  switch (change.kind) {
    case 'create-table':
      return createTable(change, before, hasPostgis);
    case 'drop-table':
      return [`DROP ${relationKind(findTable(before, change.table))} ${target}`];
    case 'add-column':
      return addColumn(change.table, change.column, before, hasPostgis);
    case 'alter-column':
      return alterColumn(existing(before, change.table), change.column, before, hasPostgis);
    case 'drop-column':
      return [`ALTER TABLE ${target} DROP COLUMN ${quoteName(change.column)}`];
    case 'add-foreign-key':
      return [`ALTER TABLE ${target} ADD ${foreignKey(change.foreignKey)}`];
    case 'drop-foreign-key':
      return [`ALTER TABLE ${target} DROP CONSTRAINT ${quoteName(change.foreignKey.name ?? '')}`];
    case 'create-index':
      return [createNamedIndex(change.table, change.name, change.columns, change.unique)];
    case 'drop-index':
      return [dropIndex(existing(before, change.table), change.name)];
    default:
      return unreachable(change);
  }
}

function existing(before: RawDatabase, name: TableName): RawTable {
  const table = findTable(before, name);
  if (table === undefined) throw forbiddenCollection(name.name);
  return table;
}

function relationKind(table: RawTable | undefined): string {
  if (table?.kind !== 'view') return table?.vendor['relkind'] === 'f' ? 'FOREIGN TABLE' : 'TABLE';
  return table.vendor['relkind'] === 'm' ? 'MATERIALIZED VIEW' : 'VIEW';
}

function createTable(
  change: StructureChange & { readonly kind: 'create-table' },
  before: RawDatabase,
  hasPostgis: boolean,
): readonly string[] {
  const { table, columns, primaryKey } = change;
  const isKeyItself = (column: ColumnSpec): boolean => primaryKey.length === 1 && primaryKey[0] === column.name;
  const uniques = [...columns.filter((column) => column.unique && !isKeyItself(column)).map((column) => [column.name]), ...change.uniques];
  const body = [
    ...columns.map((column) => columnDefinition(column, hasPostgis)),
    ...(primaryKey.length === 0 ? [] : [primaryKeyConstraint(table, primaryKey, before)]),
    ...uniques.map((names) => uniqueConstraint(table, names, before)),
    ...change.foreignKeys.map(foreignKey),
  ];
  return [
    ...createSchema(table.schema, before),
    `CREATE TABLE ${quoteTable(table)} (${body.join(', ')})`,
    ...columns
      .filter((column) => column.indexed && !column.unique && !isKeyItself(column))
      .map((column) => createIndex(table, [column.name], before)),
    ...(change.comment === null ? [] : [`COMMENT ON TABLE ${quoteTable(table)} IS ${quoteLiteral(change.comment)}`]),
    ...columns.flatMap((column) => commentOf(table, column)),
  ];
}

/** Tests whether the schema exists: CREATE SCHEMA IF NOT EXISTS requires the right to create schemas even if it does. */
function createSchema(schema: string | null, before: RawDatabase): readonly string[] {
  if (schema === null || before.tables.some((table) => table.schema === schema)) return [];
  const name = quoteName(schema);
  return [`DO ${quoteLiteral(`BEGIN IF to_regnamespace(${quoteLiteral(name)}) IS NULL THEN CREATE SCHEMA ${name}; END IF; END`)}`];
}

function addColumn(table: TableName, column: ColumnSpec, before: RawDatabase, hasPostgis: boolean): readonly string[] {
  return [
    `ALTER TABLE ${quoteTable(table)} ADD COLUMN ${columnDefinition(column, hasPostgis)}`,
    ...(column.primaryKey ? [addPrimaryKey(table, [column.name], before)] : []),
    ...(column.unique && !column.primaryKey ? [addUnique(table, [column.name], before)] : []),
    ...(column.indexed && !column.unique && !column.primaryKey ? [createIndex(table, [column.name], before)] : []),
    ...commentOf(table, column),
  ];
}

const commentOf = (table: TableName, column: ColumnSpec): readonly string[] =>
  column.comment === null ? [] : [commentOnColumn(table, column.name, column.comment)];

function foreignKey(key: ForeignKeySpec): string {
  const foreign = quoteTable({ schema: key.foreignSchema, name: key.foreignTable });
  return (
    `CONSTRAINT ${quoteName(key.name)} FOREIGN KEY (${quoteNames(key.columns)}) REFERENCES ${foreign} (${quoteNames(key.foreignColumns)})` +
    ` ON DELETE ${key.onDelete} ON UPDATE ${key.onUpdate}`
  );
}
