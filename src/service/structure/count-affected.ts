// How many stored values a change would take away or touch, counted before it happens.

import { collectionName } from '../../core/schema/collection-name.js';
import type { RawColumn, RawDatabase } from '../../core/schema/raw.js';
import type { TableName } from '../../core/schema/table-name.js';
import { empty, integer, render, type Sql, sql } from '../../core/sql/sql.js';
import { type ColumnSpec, findTable, type StructureChange } from '../../core/vendor/ddl.js';
import type { Connection } from '../../core/vendor/driver.js';
import type { StructureRules } from './structure-state.js';

export interface Affected {
  readonly collection: string;
  readonly field: string | null;
  /** deleted: items or values go; converted: values get another type; truncated: values do not fit; null: values are missing where they will have to be. */
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
  rules: StructureRules,
  connection: Connection,
  changes: readonly StructureChange[],
  before: RawDatabase,
): Promise<readonly Affected[]> {
  const { syntax } = rules.dialect;
  const answers: Affected[] = [];
  for (const { effect, table, column, where } of changes.flatMap((change) => questionsOf(rules, change, before))) {
    const { text } = render(sql`SELECT COUNT(*) FROM ${syntax.table(table)}${where}`, syntax.placeholder);
    const [row] = await connection.rows({ text, values: [] });
    answers.push({ collection: collectionName(table), field: column, effect, count: Number(row?.[0] ?? 0) });
  }
  return answers.filter(({ count }) => count > 0);
}

function questionsOf(rules: StructureRules, change: StructureChange, before: RawDatabase): readonly Question[] {
  const { table } = change;
  const present = findTable(before, table);
  if (present === undefined || present.kind === 'view') return [];
  const stored = (column: string): Sql => sql` WHERE ${rules.dialect.syntax.identifier(column)} IS NOT NULL`;
  switch (change.kind) {
    case 'drop-table':
      return [{ effect: 'deleted', table, column: null, where: empty }];
    case 'drop-column':
      return [{ effect: 'deleted', table, column: change.column, where: stored(change.column) }];
    case 'alter-column': {
      const column = present.columns.find(({ name }) => name === change.column.name);
      return column === undefined ? [] : alterations(rules, table, column, change.column);
    }
    default:
      return [];
  }
}

function alterations(rules: StructureRules, table: TableName, before: RawColumn, after: ColumnSpec): readonly Question[] {
  const column = before.name;
  const name = rules.dialect.syntax.identifier(column);
  const ask = (effect: Affected['effect'], where: Sql): Question => ({ effect, table, column, where });
  const shrinks = after.maxLength !== null && (before.maxLength ?? Number.POSITIVE_INFINITY) > after.maxLength && isText(before);
  return [
    ...(rules.dialect.ddl.readBackType(after) === before.type ? [] : [ask('converted', sql` WHERE ${name} IS NOT NULL`)]),
    // The one way to ask for the length in characters that every vendor reads alike.
    ...(shrinks ? [ask('truncated', sql` WHERE SUBSTR(${name}, ${integer((after.maxLength ?? 0) + 1)}, 1) <> ''`)] : []),
    ...(before.nullable && !after.nullable ? [ask('null', sql` WHERE ${name} IS NULL`)] : []),
  ];
}

const isText = ({ type }: RawColumn): boolean => type === 'string' || type === 'text';
