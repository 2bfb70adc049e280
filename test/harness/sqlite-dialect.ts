// The dialect of SQLite on a file of its own, for the unit tests beside its sources.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RawTable } from '../../src/core/schema/raw.js';
import type { ColumnSpec, StructureChange } from '../../src/core/vendor/ddl.js';
import type { Dialect } from '../../src/core/vendor/dialect.js';
import type { Row } from '../../src/core/vendor/driver.js';
import { openSqlite } from '../../src/dialects/sqlite/index.js';

export interface SqliteTest {
  readonly dialect: Dialect;
  readonly file: string;
  rows(text: string): Promise<readonly Row[]>;
  run(...texts: readonly string[]): Promise<void>;
  table(name: string): Promise<RawTable>;
  /** The steps of a change, run as the service does. */
  change(...changes: readonly StructureChange[]): Promise<void>;
  end(): Promise<void>;
}

export async function openSqliteTest(statementTimeoutMs = 10_000): Promise<SqliteTest> {
  const folder = await mkdtemp(join(tmpdir(), 'tain_test_sqlite_'));
  const file = join(folder, 'test.db');
  const dialect = await openSqlite({ url: file, poolSize: 4, statementTimeoutMs, systemSchema: null });
  const { driver } = dialect;
  return {
    dialect,
    file,
    rows: (text) => driver.rows({ text, values: [] }),
    async run(...texts) {
      for (const text of texts) await driver.run({ text, values: [] });
    },
    async table(name) {
      const found = (await dialect.introspect(driver)).tables.find((table) => table.name === name);
      if (found === undefined) throw new Error(`no table ${name}`);
      return found;
    },
    async change(...changes) {
      await dialect.exclusively(async (connection) => {
        for (const change of changes) {
          const before = await dialect.introspect(connection);
          for (const { text } of dialect.ddl.steps(change, before)) await connection.run({ text, values: [] });
        }
      });
    },
    async end() {
      await driver.close();
      await rm(folder, { recursive: true });
    },
  };
}

export const column = (spec: Partial<ColumnSpec> & Pick<ColumnSpec, 'name' | 'type'>): ColumnSpec => ({
  nullable: true,
  default: null,
  maxLength: null,
  precision: null,
  scale: null,
  unique: false,
  indexed: false,
  primaryKey: false,
  autoIncrement: false,
  comment: null,
  generationExpression: null,
  ...spec,
});
