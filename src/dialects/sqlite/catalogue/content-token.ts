// Whether another connection has committed. The counter of a connection ignores its own commits, so it is read on the writer: only other
// programs, and other processes of the service, change it.

import type { ContentToken } from '../../../core/vendor/dialect.js';

export const contentToken: ContentToken = {
  source: 'PRAGMA data_version',
  async read(connection) {
    // `write`: this kind of statement runs on the writer.
    const [row] = await connection.rows({ kind: 'write', text: 'PRAGMA data_version', values: [], prepare: true });
    return String(row?.[0]);
  },
};
