// The Ddl port of SQLite. A change runs in one transaction, so no step needs an undo. Where ALTER TABLE cannot make a change, the table is
// rebuilt (rebuild-table.ts).

import { unreachable } from '../../../core/errors/service-error.js';
import type { RawDatabase, RawTable } from '../../../core/schema/raw.js';
import type { TableName } from '../../../core/schema/table-name.js';
import { type Ddl, findTable, type StructureChange } from '../../../core/vendor/ddl.js';
import { parseDeclaredType, readType, writeType } from '../types/column-types.js';
import { quoteName } from '../types/quote.js';
import { alterColumn } from './alter-column.js';
import { createIndex } from './index-steps.js';
import { addColumn, addForeignKey, createTable, dropColumn, dropForeignKey, dropTableIndex } from './table-steps.js';

export const sqliteDdl: Ddl = {
  transactional: true,
  keepsComments: false,
  hasSchemas: false,
  keysNeedIndexes: false,
  steps: (change, before) => textsOf(change, before).map((text) => ({ text, undo: null })),
  readBackType: (spec) => readType(parseDeclaredType(writeType(spec))),
};

function textsOf(change: StructureChange, before: RawDatabase): readonly string[] {
  switch (change.kind) {
    case 'create-table':
      return createTable(change, before);
    case 'drop-table':
      return [`DROP ${findTable(before, change.table)?.kind === 'view' ? 'VIEW' : 'TABLE'} ${quoteName(change.table.name)}`];
    case 'add-column':
      return addColumn(requireTable(before, change.table), change.column, before);
    case 'alter-column':
      return alterColumn(requireTable(before, change.table), change.column, before);
    case 'drop-column':
      return dropColumn(requireTable(before, change.table), change.column);
    case 'add-foreign-key':
      return addForeignKey(requireTable(before, change.table), change.foreignKey);
    case 'drop-foreign-key':
      return dropForeignKey(requireTable(before, change.table), change.foreignKey);
    case 'create-index':
      return [createIndex(change.name, change.table.name, change.columns, change.unique)];
    case 'drop-index':
      return dropTableIndex(requireTable(before, change.table), change.name);
    default:
      return unreachable(change);
  }
}

function requireTable(before: RawDatabase, name: TableName): RawTable {
  const table = findTable(before, name);
  if (table === undefined) throw new Error(`no table ${name.name}`);
  return table;
}
