// A cheap look at the catalogue: the transactions that last touched the rows describing user tables. Every change of structure
// writes such rows anew; statistics do not, and temporary tables do not count.

import type { Connection } from '../../core/vendor/driver.js';

const mark = (from: string): string => `(SELECT count(*) || '.' || coalesce(sum(x.xmin::text::bigint), 0) FROM ${from})`;

const text = `
WITH relations AS MATERIALIZED (
  SELECT c.oid, c.xmin FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
)
SELECT concat_ws('-', current_schema(),
  (SELECT coalesce(sum(oid::bigint), 0) FROM relations),
  ${mark('relations x')},
  ${mark('pg_attribute x WHERE x.attnum > 0 AND x.attrelid IN (SELECT oid FROM relations)')},
  ${mark('pg_constraint x WHERE x.conrelid IN (SELECT oid FROM relations)')},
  ${mark("pg_description x WHERE x.classoid = 'pg_class'::regclass AND x.objoid IN (SELECT oid FROM relations)")},
  ${mark('pg_enum x')},
  ${mark("pg_type x WHERE x.typtype = 'd'")},
  ${mark("pg_namespace x WHERE x.nspname NOT LIKE 'pg\\_%'")},
  ${mark('pg_extension x')})`;

export async function readChangeToken(connection: Connection): Promise<string> {
  const [row] = await connection.rows({ text, values: [], prepare: true });
  return String(row?.[0]);
}
