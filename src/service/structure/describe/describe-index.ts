// An index in the form of answers, and what rests on it. What rests on an index keeps it: a key or a constraint is dropped as such, and its
// index with it.

import type { RawForeignKey, RawIndex, RawTable } from '../../../core/schema/raw.js';
import type { TableName } from '../../../core/schema/table-name.js';

export const indexUses = ['primary_key', 'unique_constraint', 'foreign_key'] as const;

type IndexUse = (typeof indexUses)[number];

export interface IndexObject {
  readonly collection: string;
  readonly name: string;
  /** In index order. For an index with expressions, only the fields before the first expression. */
  readonly fields: readonly string[];
  readonly unique: boolean;
  /** The key or constraint that needs the index, so that it cannot be dropped; null: none. */
  readonly backs: IndexUse | null;
  /** The vendor's text of an index that its fields do not describe; null for a plain one. */
  readonly definition: string | null;
}

export interface IndexContext {
  /** All tables of the database. */
  readonly tables: readonly RawTable[];
  /** See Ddl. */
  readonly keysNeedIndexes: boolean;
}

export const describeIndexes = (collection: string, table: RawTable, context: IndexContext): readonly IndexObject[] =>
  table.indexes.map((index) => ({
    collection,
    name: index.name,
    fields: index.columns,
    unique: index.unique,
    backs: useOf(index, table, context),
    definition: index.definition ?? null,
  }));

export function useOf(index: RawIndex, table: RawTable, context: IndexContext): IndexUse | null {
  if (index.constraint === true && isSame(index.columns, table.primaryKey)) return 'primary_key';
  if (index.constraint === true || isUniqueRule(index, table)) return 'unique_constraint';
  return isNeeded(index, table, context) ? 'foreign_key' : null;
}

/** On vendors without unique constraints, the generated name distinguishes the unique rule of a field from an index that somebody created. */
const isUniqueRule = ({ name, columns, unique }: RawIndex, table: TableName): boolean =>
  unique && name.toLowerCase() === `${table.name}_${columns.join('_')}_unique`.toLowerCase();

function isNeeded(index: RawIndex, table: RawTable, { tables, keysNeedIndexes }: IndexContext): boolean {
  const others = table.indexes.filter((other) => other !== index);
  const begins = ({ columns }: RawIndex, wanted: readonly string[]): boolean => wanted.every((column, place) => columns[place] === column);
  const serves = ({ columns }: RawForeignKey): boolean => begins(index, columns) && !others.some((other) => begins(other, columns));
  if (keysNeedIndexes && table.foreignKeys.some(serves)) return true;
  // A foreign key may point only at columns that are unique together.
  const proves = ({ columns, unique, partial }: RawIndex, wanted: readonly string[]): boolean =>
    unique && !partial && isSame([...columns].sort(), [...wanted].sort());
  const targets = tables
    .flatMap(({ foreignKeys }) => foreignKeys)
    .filter((key) => key.foreignTable === table.name && key.foreignSchema === table.schema)
    .map((key) => key.foreignColumns);
  return targets.some(
    (columns) => proves(index, columns) && !isSame(columns, table.primaryKey) && !others.some((other) => proves(other, columns)),
  );
}

const isSame = (one: readonly string[], other: readonly string[]): boolean => one.join('\0') === other.join('\0');
