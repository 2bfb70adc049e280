// Drops tables and columns. A dropped table cannot be restored, so a step first renames it, to a name that the service hides; its `finish`
// drops it when the whole change has succeeded.

import { randomBytes } from 'node:crypto';
import type { RawDatabase, RawTable } from '../../../core/schema/raw.js';
import { droppedPrefix } from '../../../core/schema/system-definition.js';
import type { TableName } from '../../../core/schema/table-name.js';
import { type DdlStep, findTable, type StructureChange } from '../../../core/vendor/ddl.js';
import { quoteName } from '../types/quote.js';
import { restateIndex, serves, writeCreateIndex, writeDropIndex } from './keys.js';
import { indexName, quoteTable } from './names.js';

type Change<K extends StructureChange['kind']> = Extract<StructureChange, { readonly kind: K }>;

const temporaryName = (): string => `${droppedPrefix}${randomBytes(8).toString('hex')}`;

export function dropTable({ table }: Change<'drop-table'>, before: RawDatabase): readonly DdlStep[] {
  if (findTable(before, table)?.kind === 'view') return [{ text: `DROP VIEW ${quoteTable(table)}`, undo: null }];
  const [name, renamed] = [quoteTable(table), quoteTable({ schema: table.schema, name: temporaryName() })];
  return [{ text: `RENAME TABLE ${name} TO ${renamed}`, undo: `RENAME TABLE ${renamed} TO ${name}`, finish: `DROP TABLE ${renamed}` }];
}

export function dropColumn({ table, column }: Change<'drop-column'>, before: RawDatabase): readonly DdlStep[] {
  const facts = findTable(before, table);
  const [alter, name, renamed] = [`ALTER TABLE ${quoteTable(table)}`, quoteName(column), quoteName(temporaryName())];
  const rename: DdlStep = {
    text: `${alter} RENAME COLUMN ${name} TO ${renamed}`,
    undo: `${alter} RENAME COLUMN ${renamed} TO ${name}`,
    finish: `${alter} DROP COLUMN ${renamed}`,
  };
  return [...(facts === undefined ? [] : releaseIndexes(table, facts, column, before)), rename];
}

/** Drops the composite indexes that contain the column. A foreign key that relied on one of them gets an index of its own. */
function releaseIndexes(table: TableName, facts: RawTable, column: string, before: RawDatabase): readonly DdlStep[] {
  const shared = facts.indexes.filter((index) => index.columns.length > 1 && index.columns.includes(column));
  const staying = facts.indexes.filter((index) => !shared.includes(index));
  const needed = facts.foreignKeys
    .map((key) => key.columns)
    .filter((columns) => !columns.includes(column))
    .filter((columns) => shared.some((index) => index.columns[0] === columns[0]) && !staying.some((index) => serves(index, columns)));
  return [
    ...needed.map((columns) => makeIndex(table, columns, before)),
    ...shared.map((index) => ({ text: writeDropIndex(table, index.name), undo: restateIndex(table, index, before) })),
  ];
}

function makeIndex(table: TableName, columns: readonly string[], before: RawDatabase): DdlStep {
  const name = indexName(table, columns, false);
  return { text: writeCreateIndex(table, name, columns, false, before), undo: writeDropIndex(table, name) };
}
