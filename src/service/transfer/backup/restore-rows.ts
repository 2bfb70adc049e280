// Stores the rows of one table, in INSERTs of as many rows as parameters and memory allow.

import type { RawTable } from '../../../core/schema/raw.js';
import type { BoundValue } from '../../../core/sql/sql.js';
import type { Dialect } from '../../../core/vendor/dialect.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { Kept } from '../../../core/vendor/transfer.js';
import { BackupRefused } from './backup-file.js';

export interface RowWriter {
  write(rows: readonly (readonly Kept[])[]): Promise<void>;
  end(): Promise<void>;
}

export interface RowTarget {
  readonly dialect: Dialect;
  readonly connection: Connection;
}

const mostRows = 500;
const mostCharacters = 256 * 1024;
/** Where a restore is no single transaction, one of a bounded size follows another. */
const rowsPerCommit = 20_000;

export function openRowWriter({ dialect, connection }: RowTarget, table: RawTable, names: readonly string[], exact: boolean): RowWriter {
  const columns = names.map((name) => {
    const column = table.columns.find((candidate) => candidate.name === name);
    if (column === undefined) throw new BackupRefused(`the column "${table.name}.${name}" of the file was not made`);
    return column;
  });
  const writer = dialect.transfer.writer(table, columns, exact);
  const rowsAtOnce = Math.max(1, Math.min(mostRows, Math.floor(dialect.write.maxParameters / columns.length)));
  const whole = writer.text(rowsAtOnce);
  let values: BoundValue[] = [];
  let [count, characters, uncommitted] = [0, 0, 0];

  async function flush(): Promise<void> {
    if (count === 0) return;
    const text = count === rowsAtOnce ? whole : writer.text(count);
    const sent = values;
    uncommitted += count;
    [values, count, characters] = [[], 0, 0];
    await connection.run({ kind: 'write', text, values: sent });
    if (!dialect.ddl.transactional && uncommitted >= rowsPerCommit) await commit();
  }

  async function commit(): Promise<void> {
    uncommitted = 0;
    await connection.run({ kind: 'write', text: 'COMMIT', values: [] });
  }

  return {
    async write(rows) {
      for (const row of rows) {
        const bound = writer.bind(row);
        values.push(...bound);
        count += 1;
        for (const value of bound) characters += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
        if (count === rowsAtOnce || characters > mostCharacters) await flush();
      }
    },
    async end() {
      await flush();
      if (!dialect.ddl.transactional) await commit();
    },
  };
}
