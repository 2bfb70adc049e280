// Whether anybody has committed. A snapshot names the transactions that have begun to write, and of those the ones that have not ended; it
// stays the same while nothing is written anywhere on the server. Own writes change it as well.

import type { ContentToken } from '../../../core/vendor/dialect.js';
import type { Connection } from '../../../core/vendor/driver.js';

export const contentToken: ContentToken = {
  source: 'pg_current_snapshot()',
  async read(connection) {
    const [row] = await connection.rows({ kind: 'read', text: 'SELECT pg_current_snapshot()::text', values: [], prepare: true });
    return String(row?.[0]);
  },
};

const otherText = `SELECT query FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND query <> ''`;

/** Of sessions of other users the server tells only to privileged ones what they run. */
export async function tracesOfOthers(connection: Connection): Promise<readonly string[]> {
  return (await connection.rows({ kind: 'read', text: otherText, values: [] })).map(([query]) => String(query));
}
