// Brings the system tables up to date: runs the migrations this database has not seen, one process at a time.

import { definitionOf } from '../../core/engine/definition-of.js';
import { type SystemRows, systemRows } from '../../core/engine/system-rows.js';
import { render, sql } from '../../core/sql/sql.js';
import { DatabaseError } from '../../core/vendor/database-error.js';
import { findTable } from '../../core/vendor/ddl.js';
import type { Dialect } from '../../core/vendor/dialect.js';
import type { Connection } from '../../core/vendor/driver.js';
import type { Migration, MigrationWork } from './migration.js';
import { ensureTable, systemTables } from './migrations/0001-system-tables.js';
import { firstRows } from './migrations/0002-first-rows.js';
import { systemDefinitions } from './system-definitions.js';

const migrations: readonly Migration[] = [systemTables, firstRows];

export async function migrate(dialect: Dialect, systemSchema: string | null): Promise<void> {
  const log = systemRows(dialect.syntax, definitionOf(systemDefinitions, 'service_migrations'), systemSchema);
  const seen = await readSeen(log, dialect.driver);
  if (seen !== null && migrations.every((migration) => seen.has(migration.version))) return;
  if (seen === null)
    await dialect.exclusively((connection) => beginLog({ dialect, connection, definitions: systemDefinitions, systemSchema }));
  for (const migration of migrations) {
    await dialect.exclusively((connection) =>
      runOnce(migration, log, { dialect, connection, definitions: systemDefinitions, systemSchema }),
    );
  }
}

/** null: the log is not there yet. */
async function readSeen(log: SystemRows, connection: Connection): Promise<ReadonlySet<unknown> | null> {
  try {
    return new Set((await log.read(connection, ['version'])).map((row) => row.version));
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === 'stale-schema') return null;
    throw error;
  }
}

/** The log comes first. Tables of our names without it belong to somebody else and are not touched. */
async function beginLog(work: MigrationWork): Promise<void> {
  const { dialect, connection, systemSchema } = work;
  if (systemSchema !== null) await connection.run({ text: createSchema(dialect, systemSchema), values: [] });
  const before = await dialect.introspect(connection);
  const definition = definitionOf(work.definitions, 'service_migrations');
  if (findTable(before, { schema: systemSchema, name: definition.collection })) return;
  const foreign = work.definitions.find((candidate) => findTable(before, { schema: systemSchema, name: candidate.collection }));
  if (foreign)
    throw new Error(`The database has a table ${foreign.collection} that this service did not make. Rename it, or use another database.`);
  await ensureTable(work, { definition, later: [] }, before);
}

const createSchema = (dialect: Dialect, name: string): string =>
  render(sql`CREATE SCHEMA IF NOT EXISTS ${dialect.syntax.identifier(name)}`, dialect.syntax.placeholder).text;

async function runOnce(migration: Migration, log: SystemRows, work: MigrationWork): Promise<void> {
  const { version, name } = migration;
  if ((await log.read(work.connection, ['version'], { version })).length > 0) return;
  await migration.run(work);
  await log.insert(work.connection, [{ version, name }]);
}
