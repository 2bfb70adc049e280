// The rights that the service needs for its own tables, checked before it creates them. Missing rights are reported as the statements that
// grant them. Other tables need no particular rights: a table that may only be read is served read-only.

import type { SystemTables } from '../../../core/vendor/dialect.js';
import type { Connection } from '../../../core/vendor/driver.js';

/**
 * CREATE is required only while tables are missing; afterwards an administrator may revoke it. The CASE at the end is necessary because
 * has_sequence_privilege fails for a relation that is not a sequence, and the server may evaluate conditions in any order.
 */
const missingText = `
WITH place AS (
  SELECT coalesce($1::text, current_schema(), 'public') AS name
), found AS (
  SELECT n.oid, n.nspname FROM pg_namespace n JOIN place p ON n.nspname = p.name
), relations AS (
  SELECT c.oid, c.relname, c.relkind FROM found f JOIN pg_class c ON c.relnamespace = f.oid
), tables AS (
  SELECT oid, relname FROM relations WHERE relkind = 'r' AND relname = ANY ($2::text[])
)
SELECT format('CREATE SCHEMA %I AUTHORIZATION %I', p.name, current_user) FROM place p
WHERE NOT EXISTS (SELECT FROM found) AND NOT has_database_privilege(current_database(), 'CREATE')
UNION ALL
SELECT format('GRANT %s ON SCHEMA %I TO %I', r.name, f.nspname, current_user) FROM found f, (VALUES ('USAGE'), ('CREATE')) r (name)
WHERE NOT has_schema_privilege(f.oid, r.name) AND (r.name = 'USAGE' OR (SELECT count(*) FROM tables) < cardinality($2::text[]))
UNION ALL
SELECT format('GRANT %s ON %I.%I TO %I', r.name, f.nspname, t.relname, current_user)
FROM found f, tables t, (VALUES ('SELECT'), ('INSERT'), ('UPDATE'), ('DELETE')) r (name)
WHERE NOT has_table_privilege(t.oid, r.name)
UNION ALL
SELECT format('GRANT USAGE ON SEQUENCE %I.%I TO %I', f.nspname, s.relname, current_user)
FROM found f, tables t
JOIN pg_depend d ON d.refobjid = t.oid AND d.refclassid = 'pg_class'::regclass AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
JOIN relations s ON s.oid = d.objid
WHERE CASE WHEN s.relkind = 'S' THEN NOT has_sequence_privilege(s.oid, 'USAGE') ELSE false END`;

export async function missingRights(connection: Connection, { schema, names }: SystemTables): Promise<readonly string[]> {
  const rows = await connection.rows({ kind: 'read', text: missingText, values: [schema, names] });
  return rows.map(([line]) => String(line));
}
