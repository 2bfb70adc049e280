// Adds and alters columns.

import { invalidPayload } from '../../../core/errors/service-error.js';
import type { RawColumn, RawDatabase, RawIndex, RawTable } from '../../../core/schema/raw.js';
import type { TableName } from '../../../core/schema/table-name.js';
import { type ColumnSpec, type DdlStep, findTable, type StructureChange } from '../../../core/vendor/ddl.js';
import { quoteName } from '../types/quote.js';
import type { Server } from '../types/server.js';
import { columnFacts } from '../types/vendor-facts.js';
import { type ColumnDefinition, changedColumn, existingColumn, newColumn, writeColumn } from './column-definition.js';
import { prefixOf, restateIndex, writeDropIndex, writeIndex, writeKeyPart } from './keys.js';
import { indexName, quoteTable } from './names.js';

type Change<K extends StructureChange['kind']> = Extract<StructureChange, { readonly kind: K }>;

export function addColumn({ table, column }: Change<'add-column'>, server: Server): readonly DdlStep[] {
  const definition = newColumn(column, server, null);
  const parts = [`ADD COLUMN ${writeColumn(definition)}`, ...writeKeys(table, column, definition.sqlType).map((key) => `ADD ${key}`)];
  return [{ text: `ALTER TABLE ${quoteTable(table)} ${parts.join(', ')}`, undo: writeDropColumn(table, column.name) }];
}

/** The keys that a new column requires. A composite primary key is part of the table instead. */
export function writeKeys(table: TableName, column: ColumnSpec, sqlType: string): readonly string[] {
  if (column.primaryKey) return [`PRIMARY KEY (${quoteName(column.name)})`];
  if (!column.unique && !column.indexed) return [];
  const name = quoteName(indexName(table, [column.name], column.unique));
  return [`${column.unique ? 'UNIQUE ' : ''}KEY ${name} (${writeKeyPart(column.name, sqlType, column.unique)})`];
}

const writeDropColumn = (table: TableName, column: string): string => `ALTER TABLE ${quoteTable(table)} DROP COLUMN ${quoteName(column)}`;

export function alterColumn({ table, column }: Change<'alter-column'>, before: RawDatabase, server: Server): readonly DdlStep[] {
  const facts = findTable(before, table);
  const present = facts?.columns.find((candidate) => candidate.name === column.name);
  if (facts === undefined || present === undefined) throw invalidPayload(`Field "${column.name}" does not exist.`);
  const [from, to] = [existingColumn(present), changedColumn(column, present, server)];
  const moved = movedIndexes(column, facts, from, to, server);
  const definition = modifyColumn(table, from, to, moved);
  const left = { ...facts, indexes: facts.indexes.filter((index) => !moved.some(({ old, next }) => old === index && next === null)) };
  return [...definition, ...alterPrimaryKey(table, column, facts, present), ...alterIndex(table, column, left, before, to.sqlType)];
}

/** An index that changes in the same statement as its column, with its parts before and after; null: it goes. */
interface MovedIndex {
  readonly old: RawIndex;
  readonly parts: string;
  readonly next: string | null;
}

/** MySQL refuses to make a column too long for an index that covers the whole of it, as MariaDB does not. */
function movedIndexes(
  spec: ColumnSpec,
  facts: RawTable,
  from: ColumnDefinition,
  to: ColumnDefinition,
  server: Server,
): readonly MovedIndex[] {
  if (server.mariadb || prefixOf(to.sqlType) === null || prefixOf(from.sqlType) !== null) return [];
  const partOf = (name: string, own: ColumnDefinition): string => {
    const other = facts.columns.find((column) => column.name === name);
    return writeKeyPart(name, name === spec.name ? own.sqlType : other === undefined ? null : columnFacts(other).columnType, false);
  };
  const partsOf = (index: RawIndex, own: ColumnDefinition): string => index.columns.map((name) => partOf(name, own)).join(', ');
  return facts.indexes
    .filter(
      (index) => index.columns.includes(spec.name) && !index.partial && (!index.unique || (index.columns.length === 1 && !spec.unique)),
    )
    .map((old) => ({ old, parts: partsOf(old, from), next: old.unique ? null : partsOf(old, to) }));
}

/**
 * Ends a statement that only a stored null can make fail. MariaDB reports 1265 in that case, as it does for a value of the wrong type, and
 * driver/errors.ts uses this comment to tell them apart.
 */
export const refusesNull = '/* refuses null */';

/** Sets NOT NULL in a separate, last statement, because a null and a value that does not fit the new type cause the same error. */
function modifyColumn(
  table: TableName,
  present: ColumnDefinition,
  wanted: ColumnDefinition,
  moved: readonly MovedIndex[],
): readonly DdlStep[] {
  const alter = (column: ColumnDefinition, more: readonly string[] = []) =>
    `ALTER TABLE ${quoteTable(table)} ${[`MODIFY COLUMN ${writeColumn(column)}`, ...more].join(', ')}`;
  const drop = ({ old }: MovedIndex): string => `DROP INDEX ${quoteName(old.name)}`;
  const add = ({ old }: MovedIndex, parts: string): string => `ADD ${old.unique ? 'UNIQUE ' : ''}INDEX ${quoteName(old.name)} (${parts})`;
  const forth = moved.flatMap((index) => [drop(index), ...(index.next === null ? [] : [add(index, index.next)])]);
  const back = moved.flatMap((index) => [...(index.next === null ? [] : [drop(index)]), add(index, index.parts)]);
  const tightened = present.nullable && !wanted.nullable && wanted.generated === null;
  const first = tightened ? { ...wanted, nullable: true } : wanted;
  return [
    ...(writeColumn(first) === writeColumn(present) ? [] : [{ text: alter(first, forth), undo: alter(present, back) }]),
    ...(tightened ? [{ text: `${alter(wanted)} ${refusesNull}`, undo: alter(first) }] : []),
  ];
}

function alterPrimaryKey(table: TableName, spec: ColumnSpec, facts: RawTable, present: RawColumn): readonly DdlStep[] {
  if (spec.primaryKey === present.primaryKey) return [];
  if (!spec.primaryKey || facts.primaryKey.length > 0)
    throw invalidPayload(`The primary key of collection "${table.name}" cannot be changed.`);
  const alter = `ALTER TABLE ${quoteTable(table)}`;
  return [{ text: `${alter} ADD PRIMARY KEY (${quoteName(spec.name)})`, undo: `${alter} DROP PRIMARY KEY` }];
}

function alterIndex(table: TableName, spec: ColumnSpec, facts: RawTable, before: RawDatabase, sqlType: string): readonly DdlStep[] {
  if (spec.primaryKey) return [];
  const own = facts.indexes.filter((index) => index.columns[0] === spec.name);
  const unwanted = own.filter((index) => index.columns.length === 1 && isUnwanted(index.unique, spec, facts));
  const staying = own.filter((index) => !unwanted.includes(index));
  const missing = spec.unique
    ? !staying.some((index) => index.unique && !index.partial && index.columns.length === 1)
    : spec.indexed && staying.length === 0;
  const name = indexName(table, [spec.name], spec.unique);
  // Create the new index before dropping the old one: a foreign key must have an index at all times.
  return [
    ...(missing
      ? [{ text: writeIndex(table, name, [writeKeyPart(spec.name, sqlType, spec.unique)], spec.unique), undo: writeDropIndex(table, name) }]
      : []),
    ...unwanted.map((index) => ({ text: writeDropIndex(table, index.name), undo: restateIndex(table, index, before) })),
  ];
}

/** A plain index stays if a foreign key begins with the column, because the key needs an index. */
function isUnwanted(unique: boolean, spec: ColumnSpec, facts: RawTable): boolean {
  if (unique) return !spec.unique;
  return !spec.indexed && !spec.unique && !facts.foreignKeys.some((key) => key.columns[0] === spec.name);
}
