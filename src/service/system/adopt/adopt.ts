// Adopting the tables of another server, and releasing them again. Adopting writes one row; the other server's tables are neither altered
// nor copied, and only tables of the service's own bookkeeping are made beside them.
//
// Where DDL commits by itself, the order makes both safe to interrupt. Adopting: the log of migrations, the table of secrets, the row; what
// else is missing is made by the next start. Releasing: the log is emptied first, so that a start in between makes everything again.

import { systemRows } from '../../../core/engine/own-rows/system-rows.js';
import { adoptedHome, ownHome, type SystemHome } from '../../../core/schema/system-home.js';
import { findTable } from '../../../core/vendor/ddl.js';
import type { Dialect } from '../../../core/vendor/dialect.js';
import { migrations, secrets } from '../../definitions/bookkeeping.js';
import { systemDefinitions } from '../../definitions/system-definitions.js';
import { ensureTable } from '../create-tables.js';
import { migrate } from '../migrate.js';
import { directusOf, directusPrefix } from './directus.js';
import { adoptionName, readAdoption, refuseBothServers, refuseRunningService } from './find-home.js';
import { AdoptionRefused, checkTables, type Finding, inspect } from './inspect.js';

export interface AdoptionReport {
  readonly findings: readonly Finding[];
  /** What this call did. */
  readonly outcome: 'adopted' | 'already-adopted' | 'would-adopt';
}

export interface AdoptionOptions {
  /** Where the service makes its tables. */
  readonly schema: string | null;
  /** The names of the storages that the service has. */
  readonly storages: readonly string[];
  /** The names of the providers that users can sign in by. */
  readonly providers: readonly string[];
  readonly dryRun: boolean;
}

export async function adopt(dialect: Dialect, { schema, storages, providers, dryRun }: AdoptionOptions): Promise<AdoptionReport> {
  const present = await readAdoption(dialect, ownHome(systemDefinitions, schema));
  const database = await dialect.introspect(dialect.driver);
  checkTables(database, systemDefinitions);
  const system = adoptedHome(systemDefinitions, schema, directusOf(database), database);
  const findings = await inspect(dialect, system, database, storages, providers);
  if (dryRun && present === null) return { findings, outcome: 'would-adopt' };
  if (!dryRun) {
    await refuseBothServers(dialect);
    if (present === null) await writeAdoption(dialect, system);
    await migrate(dialect, system);
  }
  return { findings, outcome: present === null ? 'adopted' : 'already-adopted' };
}

async function writeAdoption(dialect: Dialect, system: SystemHome): Promise<void> {
  await dialect.exclusively(async (connection) => {
    const deps = { dialect, connection, system };
    for (const definition of [migrations, secrets])
      await ensureTable(deps, { definition, later: [] }, await dialect.introspect(connection));
    const rows = systemRows(dialect.syntax, secrets, system);
    if ((await rows.read(connection, ['name'], { name: adoptionName })).length === 0)
      await rows.insert(connection, [{ name: adoptionName, value: directusPrefix }]);
  });
}

/** Removes the row and everything that the service made beside the other server's tables. */
export async function release(dialect: Dialect, schema: string | null): Promise<void> {
  if ((await readAdoption(dialect, ownHome(systemDefinitions, schema))) === null)
    throw new AdoptionRefused('the tables of this database are not adopted: there is nothing to release');
  await refuseRunningService(dialect);
  const database = await dialect.introspect(dialect.driver);
  const system = adoptedHome(systemDefinitions, schema, directusOf(database), database);
  await dialect.exclusively(async (connection) => {
    await systemRows(dialect.syntax, migrations, system).delete(connection, {});
    const last = [secrets.collection, migrations.collection];
    const names = [...system.made.map(({ collection }) => collection).filter((name) => !last.includes(name)), ...last];
    for (const name of names) {
      const before = await dialect.introspect(connection);
      const table = { schema, name };
      if (findTable(before, table) === undefined) continue;
      // Where a drop cannot be rolled back, the table is put aside first; here nothing is left to fall back on.
      for (const { text, finish = null } of dialect.ddl.steps({ kind: 'drop-table', table }, before))
        for (const statement of finish === null ? [text] : [text, finish])
          await connection.run({ kind: 'ddl', text: statement, values: [] });
    }
  });
}
