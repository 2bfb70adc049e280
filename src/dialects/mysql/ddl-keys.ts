// Indexes and foreign keys: statements that make them, drop them, and bring them back from the facts.

import type { RawDatabase, RawForeignKey, RawIndex, RawTable } from '../../core/schema/raw.js';
import type { TableName } from '../../core/schema/table-name.js';
import { type DdlStep, findTable, type StructureChange } from '../../core/vendor/ddl.js';
import { alignReference } from './align-reference.js';
import { columnFacts } from './column-facts.js';
import { writeKeyPart } from './key-part.js';
import { fitName, quoteNames, quoteTable } from './names.js';
import { quoteName } from './quote.js';

type Change<K extends StructureChange['kind']> = Extract<StructureChange, { readonly kind: K }>;

export function writeForeignKey(key: RawForeignKey): string {
  const target = quoteTable({ schema: key.foreignSchema, name: key.foreignTable });
  const name = key.name === null ? '' : `CONSTRAINT ${quoteName(fitName(key.name))} `;
  return `${name}FOREIGN KEY (${quoteNames(key.columns)}) REFERENCES ${target} (${quoteNames(key.foreignColumns)}) ON DELETE ${key.onDelete} ON UPDATE ${key.onUpdate}`;
}

export function addForeignKey({ table, foreignKey }: Change<'add-foreign-key'>, before: RawDatabase): readonly DdlStep[] {
  const name = quoteName(fitName(foreignKey.name));
  // The vendor makes an index for the key unless there is one, and leaves it behind when the key goes.
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

/** The index the vendor made for this key, which no other key rests on. */
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

/** An index over a part of a value, or of a kind of its own, is not told by the facts: it cannot be brought back. */
export const restateIndex = (table: TableName, index: RawIndex, before: RawDatabase): string | null =>
  index.partial ? null : writeCreateIndex(table, index.name, index.columns, index.unique, before);

export function writeCreateIndex(table: TableName, name: string, columns: readonly string[], unique: boolean, before: RawDatabase): string {
  const parts = columns.map((column) => {
    const facts = findColumn(before, table, column);
    return writeKeyPart(column, facts === undefined ? null : columnFacts(facts).columnType, unique);
  });
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quoteName(name)} ON ${quoteTable(table)} (${parts.join(', ')})`;
}

export const writeDropIndex = (table: TableName, name: string): string => `DROP INDEX ${quoteName(name)} ON ${quoteTable(table)}`;

/** Whether a foreign key over these columns can rest on the index. */
export const serves = (index: RawIndex, columns: readonly string[]): boolean =>
  columns.every((column, place) => index.columns[place] === column);

const findColumn = (database: RawDatabase, table: TableName, name: string) =>
  findTable(database, table)?.columns.find((column) => column.name === name);
