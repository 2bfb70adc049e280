// Indexes and foreign keys from the rows of information_schema, grouped by table.

import type { ForeignKeyAction, RawForeignKey, RawIndex } from '../../../core/schema/raw.js';
import { groupBy } from '../../../core/util/group-by.js';
import type { Row } from '../../../core/vendor/driver.js';
import { readFrom } from './change-token.js';

export const indexesQuery = readFrom(
  'indexes',
  'table_name, index_name, column_name, non_unique, sub_part, index_type',
  ' ORDER BY table_name, index_name, seq_in_index',
);

export const foreignKeyColumnsQuery = readFrom(
  'foreignKeyColumns',
  'table_name, constraint_name, column_name, NULLIF(referenced_table_schema, DATABASE()), referenced_table_name, referenced_column_name',
  ' ORDER BY table_name, constraint_name, ordinal_position',
);

export const foreignKeysQuery = readFrom('foreignKeys', 'table_name, constraint_name, delete_rule, update_rule');

const plainIndexes = ['BTREE', 'HASH'];

export function groupIndexes(rows: readonly Row[]): ReadonlyMap<string, readonly RawIndex[]> {
  return mapTables(rows, (parts, name) => {
    const partial = parts.some((row) => row[4] !== null || row[2] === null || !plainIndexes.includes(String(row[5])));
    return {
      name,
      // The parts of a functional index on MySQL have no column.
      columns: parts.flatMap((row) => (row[2] === null || row[2] === undefined ? [] : [String(row[2])])),
      unique: Number(parts[0]?.[3]) === 0,
      partial,
      ...(name === 'PRIMARY' ? { constraint: true } : {}),
      ...(partial ? { definition: describeParts(parts) } : {}),
    };
  });
}

/**
 * Describes an index by its kind and parts, a prefix with its length, because the catalogue has no text of it. It does not contain the
 * expressions of functional parts either.
 */
function describeParts(parts: readonly Row[]): string {
  const columns = parts.map(([, , column, , length]) =>
    column === null ? '(expression)' : `${column}${length === null ? '' : `(${length})`}`,
  );
  return `${parts[0]?.[5]} (${columns.join(', ')})`;
}

export function groupForeignKeys(columns: readonly Row[], rules: readonly Row[]): ReadonlyMap<string, readonly RawForeignKey[]> {
  const ruleOf = new Map(rules.map((row) => [keyOf(row), row]));
  return mapTables(columns, (parts, name, table) => {
    const rule = ruleOf.get(keyOf([table, name]));
    const schema = parts[0]?.[3] ?? null;
    return {
      name,
      columns: parts.map((row) => String(row[2])),
      foreignSchema: schema === null ? null : String(schema),
      foreignTable: String(parts[0]?.[4]),
      foreignColumns: parts.map((row) => String(row[5])),
      onDelete: toAction(rule?.[2]),
      onUpdate: toAction(rule?.[3]),
    };
  });
}

const keyOf = (row: Row): string => JSON.stringify([row[0], row[1]]);

/** Each row begins with the names of its table and key; the rows of one key become one value. */
function mapTables<T>(
  rows: readonly Row[],
  make: (parts: readonly Row[], name: string, table: string) => T,
): ReadonlyMap<string, readonly T[]> {
  const tables = groupBy(rows, (row) => String(row[0]));
  const named = (own: readonly Row[]) => groupBy(own, (row) => String(row[1]));
  return new Map(Array.from(tables, ([table, own]) => [table, Array.from(named(own), ([name, parts]) => make(parts, name, table))]));
}

const actions: readonly ForeignKeyAction[] = ['NO ACTION', 'RESTRICT', 'CASCADE', 'SET NULL', 'SET DEFAULT'];
const toAction = (cell: unknown): ForeignKeyAction => actions.find((action) => action === cell) ?? 'NO ACTION';
