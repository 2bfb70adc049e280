// Brings the system tables up to date: runs the migrations that this database has not seen, in one process at a time.

import { type SystemRows, systemRows } from '../../core/engine/own-rows/system-rows.js';
import type { RawDatabase } from '../../core/schema/raw.js';
import type { RowOf } from '../../core/schema/system-definition.js';
import type { SystemHome } from '../../core/schema/system-home.js';
import { DatabaseError } from '../../core/vendor/database-error.js';
import { findTable } from '../../core/vendor/ddl.js';
import type { Dialect } from '../../core/vendor/dialect.js';
import { migrations as logDefinition } from '../definitions/bookkeeping.js';
import { ensureTable, type MigrationDeps } from './create-tables.js';
import { type Migration, migrations } from './migrations.js';
import { openOwnStructure } from './own-structure.js';

type Log = SystemRows<RowOf<typeof logDefinition>>;

/** `list` is all migrations, except for a database that is to stay at an earlier one. */
export async function migrate(dialect: Dialect, system: SystemHome, list: readonly Migration[] = migrations): Promise<void> {
  const log = systemRows(dialect.syntax, logDefinition, system);
  const seen = await readSeen(dialect, system);
  if (seen !== null && list.every((migration) => seen.has(migration.version))) return;
  const deps = { dialect, system };
  if (seen === null) await dialect.exclusively((connection) => createLog({ ...deps, connection }));
  for (const migration of list) {
    await dialect.exclusively((connection) => runOnce(migration, log, { ...deps, connection }));
  }
}

/** The versions in the log; null when it does not exist yet. */
export async function readSeen({ syntax, driver }: Dialect, system: SystemHome): Promise<ReadonlySet<string> | null> {
  try {
    return new Set((await systemRows(syntax, logDefinition, system).read(driver, ['version'])).map((row) => row.version));
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === 'stale-schema') return null;
    throw error;
  }
}

/** Creates the log before any other table. */
async function createLog(deps: MigrationDeps): Promise<void> {
  const before = await readUnlogged(deps);
  await ensureTable(deps, { definition: logDefinition, later: [] }, before);
}

/** The structure of a database without a log. Tables with our names but without a log belong to another program: refuses to touch them. */
export async function readUnlogged({ dialect, connection, system }: MigrationDeps): Promise<RawDatabase> {
  if (system.schema !== null && !dialect.ddl.hasSchemas)
    throw new Error(`SYSTEM_SCHEMA: this database has no schemas, so "${system.schema}" cannot be one`);
  const before = await dialect.introspect(connection, { schema: system.schema, names: system.made.map(({ collection }) => collection) });
  if (findTable(before, system.find(logDefinition).table)) return before;
  const foreign = system.made.find((candidate) => findTable(before, system.find(candidate).table));
  if (foreign)
    throw new Error(`The database has a table ${foreign.collection} that this service did not make. Rename it, or use another database.`);
  return before;
}

async function runOnce(migration: Migration, log: Log, deps: MigrationDeps): Promise<void> {
  const { version, name } = migration;
  if ((await log.read(deps.connection, ['version'], { version })).length > 0) return;
  await migration.run({ ...deps, structure: openOwnStructure(deps) });
  await log.insert(deps.connection, [{ version, name }]);
}
