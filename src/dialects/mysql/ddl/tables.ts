// Creates tables.

import type { RawDatabase } from '../../../core/schema/raw.js';
import type { DdlStep, StructureChange } from '../../../core/vendor/ddl.js';
import { quoteComment, quoteName } from '../types/quote.js';
import { collationOf, type Server } from '../types/server.js';
import { findReferenced } from './align-reference.js';
import { newColumn, writeColumn } from './column-definition.js';
import { writeKeys } from './columns.js';
import { writeForeignKey } from './keys.js';
import { indexName, quoteNames, quoteTable } from './names.js';

type Change<K extends StructureChange['kind']> = Extract<StructureChange, { readonly kind: K }>;

export function createTable(change: Change<'create-table'>, before: RawDatabase, server: Server): readonly DdlStep[] {
  const definitions = change.columns.map((spec) => {
    const key = change.foreignKeys.find((candidate) => candidate.columns.includes(spec.name));
    return { spec, definition: newColumn(spec, server, key === undefined ? null : findReferenced(key, spec.name, before)) };
  });
  const lines = [
    ...definitions.map(({ definition }) => writeColumn(definition)),
    ...(change.primaryKey.length === 0 ? [] : [`PRIMARY KEY (${quoteNames(change.primaryKey)})`]),
    ...definitions.flatMap(({ spec, definition }) =>
      writeKeys(
        change.table,
        {
          ...spec,
          primaryKey: false,
          unique: spec.unique && !isKey(change, spec.name),
          indexed: spec.indexed && !isKey(change, spec.name),
        },
        definition.sqlType,
      ),
    ),
    ...change.uniques.map((columns) => `UNIQUE KEY ${quoteName(indexName(change.table, columns, true))} (${quoteNames(columns)})`),
    ...change.foreignKeys.map(writeForeignKey),
  ];
  const comment = change.comment === null ? '' : ` COMMENT=${quoteComment(change.comment)}`;
  const table = quoteTable(change.table);
  return [
    {
      text: `CREATE TABLE ${table} (${lines.join(', ')}) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=${collationOf(server)}${comment}`,
      undo: `DROP TABLE ${table}`,
    },
  ];
}

/** Whether the column alone is the primary key, and therefore needs no index. */
const isKey = (change: Change<'create-table'>, column: string): boolean =>
  change.primaryKey.length === 1 && change.primaryKey[0] === column;
