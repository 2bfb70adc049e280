// Statements that create, drop and restore indexes and foreign keys.

import type { RawDatabase, RawForeignKey, RawIndex, RawTable } from '../../../core/schema/raw.js';
import type { TableName } from '../../../core/schema/table-name.js';
import { type DdlStep, findTable, type StructureChange } from '../../../core/vendor/ddl.js';
import { quoteName } from '../types/quote.js';
import { columnFacts } from '../types/vendor-facts.js';
import { alignReference } from './align-reference.js';
import { fitName, quoteNames, quoteTable } from './names.js';

type Change<K extends StructureChange['kind']> = Extract<StructureChange, { readonly kind: K }>;

export function writeForeignKey(key: RawForeignKey): string {
  const target = quoteTable({ schema: key.foreignSchema, name: key.foreignTable });
  const name = key.name === null ? '' : `CONSTRAINT ${quoteName(fitName(key.name))} `;
  return `${name}FOREIGN KEY (${quoteNames(key.columns)}) REFERENCES ${target} (${quoteNames(key.foreignColumns)}) ON DELETE ${key.onDelete} ON UPDATE ${key.onUpdate}`;
}

export function addForeignKey({ table, foreignKey }: Change<'add-foreign-key'>, before: RawDatabase): readonly DdlStep[] {
  const name = quoteName(fitName(foreignKey.name));
  // The server creates an index for the key if there is none, and keeps it when the key is dropped.
  const indexed = findTable(before, table)?.indexes.some((index) => serves(index, foreignKey.columns)) === true;
  const text = `ALTER TABLE ${quoteTable(table)} ADD ${writeForeignKey(foreignKey)}`;
  const undo = `ALTER TABLE ${quoteTable(table)} DROP FOREIGN KEY ${name}${indexed ? '' : `, DROP INDEX ${name}`}`;
  return [...alignReference(table, foreignKey, before), { text, undo }];
}

export function dropForeignKey({ table, foreignKey }: Change<'drop-foreign-key'>, before: RawDatabase): readonly DdlStep[] {
  const facts = findTable(before, table);
  const key = facts?.foreignKeys.find((candidate) => candidate.name === fitName(foreignKey.name ?? ''));
  const name = quoteName(fitName(foreignKey.name ?? ''));
  const own = facts !== undefined && key !== undefined && isOwnIndex(facts, key);
  const text = `ALTER TABLE ${quoteTable(table)} DROP FOREIGN KEY ${name}${own ? `, DROP INDEX ${name}` : ''}`;
  return [{ text, undo: key === undefined ? null : `ALTER TABLE ${quoteTable(table)} ADD ${writeForeignKey(key)}` }];
}

/** Whether the server created an index for this key that no other key relies on. */
const isOwnIndex = (table: RawTable, key: RawForeignKey): boolean =>
  table.indexes.some((index) => index.name === key.name && !index.unique && index.columns.join() === key.columns.join()) &&
  !table.foreignKeys.some((other) => other !== key && other.columns[0] === key.columns[0]);

export function createIndex({ table, name, columns, unique }: Change<'create-index'>, before: RawDatabase): readonly DdlStep[] {
  return [{ text: writeCreateIndex(table, fitName(name), columns, unique, before), undo: writeDropIndex(table, fitName(name)) }];
}

export function dropIndex({ table, name }: Change<'drop-index'>, before: RawDatabase): readonly DdlStep[] {
  const index = findTable(before, table)?.indexes.find((candidate) => candidate.name === fitName(name));
  return [{ text: writeDropIndex(table, fitName(name)), undo: index === undefined ? null : restateIndex(table, index, before) }];
}

/** null for a prefix, full-text or spatial index: the facts do not suffice to create it again. */
export const restateIndex = (table: TableName, index: RawIndex, before: RawDatabase): string | null =>
  index.partial ? null : writeCreateIndex(table, index.name, index.columns, index.unique, before);

export function writeCreateIndex(table: TableName, name: string, columns: readonly string[], unique: boolean, before: RawDatabase): string {
  const parts = columns.map((column) => {
    const facts = findColumn(before, table, column);
    return writeKeyPart(column, facts === undefined ? null : columnFacts(facts).columnType, unique);
  });
  return writeIndex(table, name, parts, unique);
}

export const writeIndex = (table: TableName, name: string, parts: readonly string[], unique: boolean): string =>
  `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quoteName(name)} ON ${quoteTable(table)} (${parts.join(', ')})`;

export const writeDropIndex = (table: TableName, name: string): string => `DROP INDEX ${quoteName(name)} ON ${quoteTable(table)}`;

/** Whether a foreign key over these columns can use the index. */
export const serves = (index: RawIndex, columns: readonly string[]): boolean =>
  columns.every((column, place) => index.columns[place] === column);

const findColumn = (database: RawDatabase, table: TableName, name: string) =>
  findTable(database, table)?.columns.find((column) => column.name === name);

const longestKey = 768;
const textPrefix = 255;

/** A column inside an index. Long text is indexed by its beginning, except in a unique key: there MariaDB itself covers the whole value. */
export function writeKeyPart(column: string, sqlType: string | null, unique: boolean): string {
  const prefix = unique || sqlType === null ? null : prefixOf(sqlType);
  return prefix === null ? quoteName(column) : `${quoteName(column)}(${prefix})`;
}

/** How much of such a column an index covers; null: the whole. */
export function prefixOf(sqlType: string): number | null {
  if (/^(?:json|\w*text|\w*blob)\b/.test(sqlType)) return textPrefix;
  const length = Number(/^varchar\((\d+)\)/.exec(sqlType)?.[1] ?? 0);
  return length > longestKey ? longestKey : null;
}
