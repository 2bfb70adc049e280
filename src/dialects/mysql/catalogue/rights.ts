// The rights that the service needs for its own tables, checked before it creates them. Missing rights are reported as the statements that
// grant them.

import type { SystemTables } from '../../../core/vendor/dialect.js';
import type { Connection } from '../../../core/vendor/driver.js';
import { quoteName } from '../types/quote.js';

const rowRights = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];
const tableRights = ['CREATE', 'ALTER', 'INDEX', 'REFERENCES'];

const whoText = "SELECT DATABASE(), SUBSTRING_INDEX(CURRENT_USER(), '@', 1), SUBSTRING_INDEX(CURRENT_USER(), '@', -1), CURRENT_ROLE()";
/** An empty table name stands for the whole database. */
const grantsText = `SELECT '', privilege_type FROM information_schema.user_privileges WHERE grantee = ?
  UNION SELECT '', privilege_type FROM information_schema.schema_privileges WHERE grantee = ? AND DATABASE() LIKE table_schema
  UNION SELECT table_name, privilege_type FROM information_schema.table_privileges WHERE grantee = ? AND table_schema = DATABASE()`;
const tablesText = 'SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()';

/** A user with an active role is assumed to have the rights: those that a role grants are not checked. */
export async function missingRights(connection: Connection, { names }: SystemTables): Promise<readonly string[]> {
  const [who] = await connection.rows({ kind: 'read', text: whoText, values: [] });
  if (who === undefined || (who[3] !== null && who[3] !== 'NONE')) return [];
  const [database, user, host] = who.map(String);
  const grantee = `'${user}'@'${host}'`;
  const grants = await connection.rows({ kind: 'read', text: grantsText, values: [grantee, grantee, grantee] });
  const granted = new Set(grants.map(([table, right]) => `${String(right)} ${String(table)}`));
  const seen = new Set((await connection.rows({ kind: 'read', text: tablesText, values: [] })).map(([table]) => String(table)));
  const place = quoteName(database ?? '');
  const grant = (right: string, on: string): string => `GRANT ${right} ON ${place}.${on} TO ${grantee}`;
  const lacksEverywhere = (right: string): boolean => !granted.has(`${right} `);
  // information_schema hides tables to which the user has no right, so a missing table may exist. A right to all tables covers both cases.
  if (names.some((name) => !seen.has(name)))
    return [...rowRights, ...tableRights].filter(lacksEverywhere).map((right) => grant(right, '*'));
  return rowRights
    .filter(lacksEverywhere)
    .flatMap((right) => names.filter((name) => !granted.has(`${right} ${name}`)).map((name) => grant(right, quoteName(name))));
}
