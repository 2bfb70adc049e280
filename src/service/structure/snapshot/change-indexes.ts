// Indexes over several columns. No field describes them, so a snapshot lists them with their table.

import type { RawTable } from '../../../core/schema/raw.js';
import type { TableName } from '../../../core/schema/table-name.js';
import type { StructureChange } from '../../../core/vendor/ddl.js';
import type { Payload } from '../describe/payload.js';
import { indexName } from '../plan/index-name.js';
import { indexLists } from './snapshot-drafts.js';

type Columns = readonly string[];

export const createIndex = (table: TableName, columns: Columns, unique: boolean): StructureChange => ({
  kind: 'create-index',
  table,
  name: indexName(table, columns, unique ? 'unique' : 'index'),
  columns,
  unique,
});

/** `wanted` holds the complete list for each kind of index that changes. */
export const changeIndexes = (table: RawTable, wanted: Payload): readonly StructureChange[] =>
  (['uniques', 'indexes'] as const)
    .filter((kind) => wanted[kind] !== undefined)
    .flatMap((kind) => changeKind(table, indexLists(wanted, kind), kind === 'uniques'));

function changeKind(table: RawTable, wanted: readonly Columns[], unique: boolean): readonly StructureChange[] {
  const present = table.indexes.filter((index) => index.columns.length > 1 && !index.partial && index.unique === unique);
  // An index that a foreign key may need is kept and not counted as a difference.
  const kept = [...wanted, table.primaryKey, ...table.foreignKeys.map((key) => key.columns)];
  const has = (lists: readonly Columns[], columns: Columns): boolean => lists.some((list) => list.join('\0') === columns.join('\0'));
  const there = present.map(({ columns }) => columns);
  return [
    ...present.filter(({ columns }) => !has(kept, columns)).map(({ name }) => ({ kind: 'drop-index', table, name }) as const),
    ...wanted.filter((columns) => !has(there, columns)).map((columns) => createIndex(table, columns, unique)),
  ];
}
