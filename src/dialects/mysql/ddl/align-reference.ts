// Aligns the columns of a new foreign key. The server requires exactly the type and collation of the referenced column, but the service only
// knows "integer" or "string", so a column that differs in details (unsigned, length, collation) is modified first.

import type { RawColumn, RawDatabase, RawForeignKey } from '../../../core/schema/raw.js';
import type { TableName } from '../../../core/schema/table-name.js';
import { type DdlStep, findTable } from '../../../core/vendor/ddl.js';
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

/** The column that `name` refers to; null if it is in another database, whose structure is unknown. */
export function findReferenced(key: RawForeignKey, name: string, before: RawDatabase): RawColumn | null {
  const table = findTable(before, { schema: key.foreignSchema, name: key.foreignTable });
  return table?.columns.find((column) => column.name === key.foreignColumns[key.columns.indexOf(name)]) ?? null;
}

const fits = (column: RawColumn, target: RawColumn): boolean =>
  bareType(column) === bareType(target) && column.collation === target.collation;

/** Without the display width of integers, which does not affect values. */
const bareType = (column: RawColumn): string => referableType(column).replace(/^(\w*int)\(\d+\)/, '$1');

const families: readonly (readonly string[])[] = [
  ['integer', 'bigInteger'],
  ['string', 'uuid'],
];

/** Whether the change of type keeps all values. Otherwise the column is left for the server to refuse. */
const isAlignable = (column: RawColumn, target: RawColumn): boolean =>
  column.type === target.type || families.some((family) => family.includes(column.type) && family.includes(target.type));
