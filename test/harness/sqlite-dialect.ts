// A SQLite dialect on a new file, for the unit tests of the dialect.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RawColumn, RawTable } from '../../src/core/schema/raw.js';
import type { ColumnSpec, ForeignKeySpec, StructureChange } from '../../src/core/vendor/ddl.js';
import type { Dialect } from '../../src/core/vendor/dialect.js';
import type { Row } from '../../src/core/vendor/driver.js';
import { openSqlite } from '../../src/dialects/sqlite/index.js';
import { patientDeadlines } from './patience.js';
import { column as columnOf } from './structure-changes.js';

export interface SqliteTest {
  readonly dialect: Dialect;
  readonly file: string;
  rows(text: string): Promise<readonly Row[]>;
  run(...texts: readonly string[]): Promise<void>;
  table(name: string): Promise<RawTable>;
  column(table: string, name: string): Promise<RawColumn>;
  /** Runs the steps of a change as the service does. */
  change(...changes: readonly StructureChange[]): Promise<void>;
  end(): Promise<void>;
}

export async function openSqliteTest(statementTimeoutMs = 60_000): Promise<SqliteTest> {
  const folder = await mkdtemp(join(tmpdir(), 'tain_test_sqlite_'));
  const file = join(folder, 'test.db');
  const dialect = await openSqlite({ url: file, poolSize: 4, statementTimeoutMs, deadlines: patientDeadlines, systemSchema: null });
  const { driver } = dialect;
  const table = async (name: string): Promise<RawTable> => {
    const found = (await dialect.introspect(driver)).tables.find((candidate) => candidate.name === name);
    if (found === undefined) throw new Error(`no table ${name}`);
    return found;
  };
  return {
    dialect,
    file,
    rows: (text) => driver.rows({ kind: 'read', text, values: [] }),
    async run(...texts) {
      for (const text of texts) await driver.run({ kind: 'write', text, values: [] });
    },
    table,
    async column(name, column) {
      const found = (await table(name)).columns.find((candidate) => candidate.name === column);
      if (found === undefined) throw new Error(`no column ${column}`);
      return found;
    },
    async change(...changes) {
      await dialect.exclusively(async (connection) => {
        for (const change of changes) {
          const before = await dialect.introspect(connection);
          for (const { text } of dialect.ddl.steps(change, before)) await connection.run({ kind: 'write', text, values: [] });
        }
      });
    },
    async end() {
      await driver.close();
      await rm(folder, { recursive: true });
    },
  };
}

export const column = ({ name, type, ...more }: Partial<ColumnSpec> & Pick<ColumnSpec, 'name' | 'type'>): ColumnSpec =>
  columnOf(name, type, more);

export const named = (name: string): { readonly schema: null; readonly name: string } => ({ schema: null, name });

/** Creates a table with a generated key `id`. */
export const create = (
  name: string,
  columns: readonly ColumnSpec[],
  more: Partial<Extract<StructureChange, { kind: 'create-table' }>> = {},
): StructureChange => ({
  kind: 'create-table',
  table: named(name),
  columns: [column({ name: 'id', type: 'integer', primaryKey: true, autoIncrement: true, nullable: false }), ...columns],
  primaryKey: ['id'],
  foreignKeys: [],
  uniques: [],
  comment: null,
  ...more,
});

/** A foreign key to the `id` of another table. */
export const key = (spec: Partial<ForeignKeySpec> & Pick<ForeignKeySpec, 'columns' | 'foreignTable'>): ForeignKeySpec => ({
  name: `${spec.columns.join('_')}_foreign`,
  foreignSchema: null,
  foreignColumns: ['id'],
  onDelete: 'CASCADE',
  onUpdate: 'NO ACTION',
  ...spec,
});
