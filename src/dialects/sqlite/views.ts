// The texts of the views.

import type { ViewText } from '../../core/vendor/dialect.js';
import type { Connection } from '../../core/vendor/driver.js';

const text = `SELECT NULL, name, sql FROM sqlite_schema WHERE type = 'view' ORDER BY name`;

export async function readViews(connection: Connection): Promise<readonly ViewText[]> {
  const rows = await connection.rows({ text, values: [] });
  return rows.map(([schema, name, view]) => ({
    schema: schema === null ? null : String(schema),
    name: String(name),
    text: String(view ?? ''),
  }));
}
