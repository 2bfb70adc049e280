// The texts of the views.

import type { ViewText } from '../../core/vendor/dialect.js';
import type { Connection } from '../../core/vendor/driver.js';

const text = `SELECT nullif(n.nspname, current_schema())::text, c.relname::text, pg_get_viewdef(c.oid)
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('v', 'm') AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' ORDER BY 1, 2`;

export async function readViews(connection: Connection): Promise<readonly ViewText[]> {
  const rows = await connection.rows({ text, values: [] });
  return rows.map(([schema, name, view]) => ({
    schema: schema === null ? null : String(schema),
    name: String(name),
    text: String(view ?? ''),
  }));
}
