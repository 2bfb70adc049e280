// Whether anybody has committed to a table of this database. InnoDB keeps the second of the last commit per table. A later commit in the same
// second does not change it, so a second that has just passed counts as changed until it is over.

import type { ContentToken } from '../../../core/vendor/dialect.js';
import type { Connection } from '../../../core/vendor/driver.js';

const text = `SELECT MAX(update_time), SUM(UNIX_TIMESTAMP(update_time)), IF(MAX(update_time) >= NOW() - INTERVAL 2 SECOND, NOW(6), NULL)
FROM information_schema.tables WHERE table_schema = DATABASE()`;

export const contentToken: ContentToken = {
  source: 'information_schema.tables.update_time',
  async read(connection) {
    const rows = await connection.rows({ kind: 'read', text, values: [] });
    return (rows[0] ?? []).join(' ');
  },
};

const otherText = `SELECT info FROM information_schema.processlist
  WHERE db = DATABASE() AND id <> CONNECTION_ID() AND info IS NOT NULL`;

/** The server forgets what a session ran as soon as it rests. */
export async function tracesOfOthers(connection: Connection): Promise<readonly string[]> {
  return (await connection.rows({ kind: 'read', text: otherText, values: [] })).map(([info]) => String(info));
}
