// Counts, for a preview, the stored values that a change would delete, convert or refuse.

import type { RawColumn, RawDatabase } from '../../../core/schema/raw.js';
import { collectionName, type TableName } from '../../../core/schema/table-name.js';
import { empty, integer, render, type Sql, sql } from '../../../core/sql/sql.js';
import { type ColumnSpec, findTable, type StructureChange } from '../../../core/vendor/ddl.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { StructureDeps } from './load-state.js';

export interface Affected {
  readonly collection: string;
  readonly field: string | null;
  /** deleted: items or values are lost; converted: values get another type; truncated: values are too long; null: values are missing. */
  readonly effect: 'deleted' | 'converted' | 'truncated' | 'null';
  readonly count: number;
}

interface Question {
  readonly effect: Affected['effect'];
  readonly table: TableName;
  readonly column: string | null;
  readonly where: Sql;
}

export async function countAffected(
  deps: StructureDeps,
  connection: Connection,
  changes: readonly StructureChange[],
  before: RawDatabase,
): Promise<readonly Affected[]> {
  const { syntax } = deps.dialect;
  const answers: Affected[] = [];
  for (const { effect, table, column, where } of changes.flatMap((change) => questionsOf(deps, change, before))) {
    const { text } = render(sql`SELECT COUNT(*) FROM ${syntax.table(table)}${where}`, syntax.placeholder);
    const [row] = await connection.rows({ kind: 'read', text, values: [] });
    answers.push({ collection: collectionName(table), field: column, effect, count: Number(row?.[0] ?? 0) });
  }
  return answers.filter(({ count }) => count > 0);
}

function questionsOf(deps: StructureDeps, change: StructureChange, before: RawDatabase): readonly Question[] {
  const { table } = change;
  const present = findTable(before, table);
  if (present === undefined || present.kind === 'view') return [];
  const stored = (column: string): Sql => sql` WHERE ${deps.dialect.syntax.identifier(column)} IS NOT NULL`;
  switch (change.kind) {
    case 'drop-table':
      return [{ effect: 'deleted', table, column: null, where: empty }];
    case 'drop-column':
      return [{ effect: 'deleted', table, column: change.column, where: stored(change.column) }];
    case 'alter-column': {
      const column = present.columns.find(({ name }) => name === change.column.name);
      return column === undefined ? [] : alterations(deps, table, column, change.column);
    }
    default:
      return [];
  }
}

function alterations(deps: StructureDeps, table: TableName, before: RawColumn, after: ColumnSpec): readonly Question[] {
  const column = before.name;
  const name = deps.dialect.syntax.identifier(column);
  const ask = (effect: Affected['effect'], where: Sql): Question => ({ effect, table, column, where });
  const shrinks = after.maxLength !== null && (before.maxLength ?? Number.POSITIVE_INFINITY) > after.maxLength && isText(before);
  return [
    ...(deps.dialect.ddl.readBackType(after) === before.type ? [] : [ask('converted', sql` WHERE ${name} IS NOT NULL`)]),
    // SUBSTR counts characters on every vendor; LENGTH counts bytes on some.
    ...(shrinks ? [ask('truncated', sql` WHERE SUBSTR(${name}, ${integer((after.maxLength ?? 0) + 1)}, 1) <> ''`)] : []),
    ...(before.nullable && !after.nullable ? [ask('null', sql` WHERE ${name} IS NULL`)] : []),
  ];
}

const isText = ({ type }: RawColumn): boolean => type === 'string' || type === 'text';
