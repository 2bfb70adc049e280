// Moves the counters of keys past the keys that were stored, where the vendor does not do so by itself.

import { toStatement } from '../../../core/engine/own-rows/system-rows.js';
import type { RawDatabase } from '../../../core/schema/raw.js';
import { sql } from '../../../core/sql/sql.js';
import type { Dialect } from '../../../core/vendor/dialect.js';
import type { Connection } from '../../../core/vendor/driver.js';

export async function advanceCounters({ syntax, write }: Dialect, connection: Connection, { tables }: RawDatabase): Promise<void> {
  for (const table of tables) {
    for (const column of table.columns.filter(({ autoIncrement }) => autoIncrement)) {
      const highest = sql`(SELECT max(${syntax.identifier(column.name)}) FROM ${syntax.table(table)})`;
      const advance = write.advanceCounter(table, column, highest);
      if (advance !== null) await connection.rows(toStatement(syntax, 'write', advance));
    }
  }
}
