// A cheap test for changes of structure, made by any program. Every change of structure writes new versions of catalogue
// rows, and `xmin` is the transaction that wrote a row version. The token of the structure consists of the number of rows and the sum of
// their `xmin` for each catalogue table that introspection reads. ANALYZE and autovacuum update their statistics in place, so they do not
// change it; temporary tables are excluded with the pg_ schemas.

import type { Connection } from '../../../core/vendor/driver.js';

/** `from`: rows of a catalogue table under the alias `x`. */
const versionOf = (from: string): string => `(SELECT count(*) || '.' || coalesce(sum(x.xmin::text::bigint), 0) FROM ${from})`;

const text = `
WITH relations AS MATERIALIZED (
  SELECT c.oid, c.xmin FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
)
SELECT concat_ws('-', current_schema(),
  (SELECT coalesce(sum(oid::bigint), 0) FROM relations),
  ${versionOf('relations x')},
  ${versionOf('pg_attribute x WHERE x.attnum > 0 AND x.attrelid IN (SELECT oid FROM relations)')},
  ${versionOf('pg_constraint x WHERE x.conrelid IN (SELECT oid FROM relations)')},
  ${versionOf('pg_trigger x WHERE NOT x.tgisinternal AND x.tgrelid IN (SELECT oid FROM relations)')},
  ${versionOf('pg_rewrite x WHERE x.ev_class IN (SELECT oid FROM relations)')},
  ${versionOf("pg_description x WHERE x.classoid = 'pg_class'::regclass AND x.objoid IN (SELECT oid FROM relations)")},
  ${versionOf('pg_enum x')},
  ${versionOf("pg_type x WHERE x.typtype = 'd'")},
  ${versionOf("pg_namespace x WHERE x.nspname NOT LIKE 'pg\\_%'")},
  ${versionOf('pg_extension x')})`;

export async function readChangeToken(connection: Connection): Promise<string> {
  const [row] = await connection.rows({ kind: 'read', text, values: [], prepare: true });
  return String(row?.[0]);
}

const otherText = `SELECT query FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND query <> ''`;

/** The server shows the statements of other users' sessions to privileged users only. */
export async function tracesOfOthers(connection: Connection): Promise<readonly string[]> {
  return (await connection.rows({ kind: 'read', text: otherText, values: [] })).map(([query]) => String(query));
}
