// The statements behind views, which show which views a change of structure would break.

import type { ViewText } from './dialect.js';
import type { Connection } from './driver.js';

/** `text` selects the schema (null: the default one), the name and the statement of every view. */
export async function readViewTexts(connection: Connection, text: string): Promise<readonly ViewText[]> {
  const rows = await connection.rows({ kind: 'read', text, values: [] });
  return rows.map(([schema, name, view]) => ({
    schema: schema === null ? null : String(schema),
    name: String(name),
    text: String(view ?? ''),
  }));
}
