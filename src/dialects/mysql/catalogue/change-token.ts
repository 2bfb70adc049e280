// Cheap tests for changes made by any program: of structure, and of contents. The test of structure is one statement that hashes what
// introspection would read, without sending it. Nothing simpler works: the data dictionary has no version, creation times have a resolution
// of a second, and the counters of DDL statements increase before a change is visible.

import type { ContentToken } from '../../../core/vendor/dialect.js';
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

const text = `SELECT MAX(update_time), SUM(UNIX_TIMESTAMP(update_time)), IF(MAX(update_time) >= NOW() - INTERVAL 2 SECOND, NOW(6), NULL)
FROM information_schema.tables WHERE table_schema = DATABASE()`;

/**
 * Changes when any program commits to a table of this database. InnoDB keeps the time of the last commit per table, with a resolution of a
 * second, so a second commit within that second would not show. For two seconds after a commit the token therefore contains the current
 * time and always differs.
 */
export const contentToken: ContentToken = {
  source: 'information_schema.tables.update_time',
  async read(connection) {
    const rows = await connection.rows({ kind: 'read', text, values: [] });
    return (rows[0] ?? []).join(' ');
  },
};

const otherText = `SELECT info FROM information_schema.processlist
  WHERE db = DATABASE() AND id <> CONNECTION_ID() AND info IS NOT NULL`;

/** The server lists only the statement that a session is running, not the last one it ran. */
export async function tracesOfOthers(connection: Connection): Promise<readonly string[]> {
  return (await connection.rows({ kind: 'read', text: otherText, values: [] })).map(([info]) => String(info));
}
