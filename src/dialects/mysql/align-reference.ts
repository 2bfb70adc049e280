// A foreign key needs the very type and collation of the column it refers to, while the service only says "integer" or "string". A column
// that differs in such details is given the other's type first.

import type { RawColumn, RawDatabase, RawForeignKey } from '../../core/schema/raw.js';
import type { TableName } from '../../core/schema/table-name.js';
import { type DdlStep, findTable } from '../../core/vendor/ddl.js';
import { existingColumn, referableType, writeColumn } from './column-definition.js';
import { quoteTable } from './names.js';

export const alignReference = (table: TableName, key: RawForeignKey, before: RawDatabase): readonly DdlStep[] =>
  key.columns.flatMap((name) => alignColumn(table, name, findReferenced(key, name, before), before));

function alignColumn(table: TableName, name: string, target: RawColumn | null, before: RawDatabase): readonly DdlStep[] {
  const column = findTable(before, table)?.columns.find((candidate) => candidate.name === name);
  if (column === undefined || target === null || column.generated || fits(column, target) || !isAlignable(column, target)) return [];
  const present = existingColumn(column);
  const alter = `ALTER TABLE ${quoteTable(table)} MODIFY COLUMN `;
  const aligned = { ...present, sqlType: referableType(target), collation: target.collation };
  return [{ text: alter + writeColumn(aligned), undo: alter + writeColumn(present) }];
}

/** What the key's column `name` points at. Only within this database: the structure of another is not known. */
export function findReferenced(key: RawForeignKey, name: string, before: RawDatabase): RawColumn | null {
  const table = findTable(before, { schema: key.foreignSchema, name: key.foreignTable });
  return table?.columns.find((column) => column.name === key.foreignColumns[key.columns.indexOf(name)]) ?? null;
}

const fits = (column: RawColumn, target: RawColumn): boolean =>
  bareType(column) === bareType(target) && column.collation === target.collation;

/** Without the display width of integers, which says nothing about the value. */
const bareType = (column: RawColumn): string => referableType(column).replace(/^(\w*int)\(\d+\)/, '$1');

const families: readonly (readonly string[])[] = [
  ['integer', 'bigInteger'],
  ['string', 'uuid'],
];

/** Whether values survive the change of type; anything else is for the database to refuse. */
const isAlignable = (column: RawColumn, target: RawColumn): boolean =>
  column.type === target.type || families.some((family) => family.includes(column.type) && family.includes(target.type));
