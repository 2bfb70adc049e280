// A foreign key needs the very type and collation of the column it refers to, while the service only says "integer" or "string". A column
// that differs in such details is given the other's type first.

import type { RawColumn, RawDatabase } from '../../core/schema/raw.js';
import type { TableName } from '../../core/schema/table-name.js';
import { type DdlStep, type ForeignKeySpec, findTable } from '../../core/vendor/ddl.js';
import { existingColumn, referableType, writeColumn } from './column-definition.js';
import { quoteTable } from './names.js';

export function alignReference(table: TableName, key: ForeignKeySpec, before: RawDatabase): readonly DdlStep[] {
  const column = findTable(before, table)?.columns.find((candidate) => candidate.name === key.column);
  const target = findReferenced(key, before);
  if (column === undefined || target === null || column.generated || fits(column, target) || !isAlignable(column, target)) return [];
  const present = existingColumn(column);
  const alter = `ALTER TABLE ${quoteTable(table)} MODIFY COLUMN `;
  const aligned = { ...present, sqlType: referableType(target), collation: target.collation };
  return [{ text: alter + writeColumn(aligned), undo: alter + writeColumn(present) }];
}

/** Only within this database: the structure of another is not known. */
export function findReferenced(key: ForeignKeySpec, before: RawDatabase): RawColumn | null {
  const table = findTable(before, { schema: key.foreignSchema, name: key.foreignTable });
  return table?.columns.find((column) => column.name === key.foreignColumn) ?? null;
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
