// A cheap test for changes of structure, made by any program: one statement that hashes what introspection would read, without sending it.
// Nothing simpler works: the data dictionary has no version, creation times have a resolution of a second, and the counters of DDL statements
// increase before a change is visible.

import type { Connection } from '../../../core/vendor/driver.js';
import type { Server } from '../types/server.js';

interface Source {
  readonly view: string;
  readonly schema: string;
  readonly columns: string;
}

const sources: readonly Source[] = [
  {
    view: 'columns',
    schema: 'table_schema',
    columns:
      'table_name, column_name, ordinal_position, column_default, is_nullable, column_type, collation_name, extra, column_comment, generation_expression',
  },
  { view: 'statistics', schema: 'table_schema', columns: 'table_name, index_name, seq_in_index, column_name, non_unique, sub_part' },
  {
    view: 'key_column_usage',
    schema: 'table_schema',
    columns: 'table_name, constraint_name, column_name, referenced_table_schema, referenced_table_name, referenced_column_name',
  },
  { view: 'referential_constraints', schema: 'constraint_schema', columns: 'table_name, constraint_name, delete_rule, update_rule' },
  { view: 'triggers', schema: 'event_object_schema', columns: 'event_object_table, trigger_name, event_manipulation, action_timing' },
];
const checks: Source = { view: 'check_constraints', schema: 'constraint_schema', columns: 'table_name, constraint_name, check_clause' };

/** Sums the squares of the rows' checksums. CRC32 is linear, so in a plain sum the same change in two tables could cancel itself out. */
const hash = ({ view, schema, columns }: Source): string => {
  const text = `CONCAT_WS('|', ${columns
    .split(', ')
    .map((column) => `IFNULL(${column}, 'null')`)
    .join(', ')})`;
  return `(SELECT CONCAT(COUNT(*), '.', IFNULL(SUM(CRC32(${text}) * CRC32(${text})), 0)) FROM information_schema.${view} WHERE ${schema} = DATABASE())`;
};

const mysqlQuery = `SELECT ${sources.map(hash).join(', ')}`;
const mariadbQuery = `SELECT ${[...sources, checks].map(hash).join(', ')}`;

export async function changeToken(connection: Connection, server: () => Server): Promise<string> {
  const rows = await connection.rows({ kind: 'read', text: server().mariadb ? mariadbQuery : mysqlQuery, values: [] });
  return (rows[0] ?? []).join(' ');
}
