// Loads the bookshop of `tain demo`: its tables, their rows, and the metadata of their relations. Changes nothing in a database that has a
// table of the same name as one of them.

import { openEpochs } from '../../../core/engine/store/epochs.js';
import type { RawDatabase } from '../../../core/schema/raw.js';
import type { SystemDefinition } from '../../../core/schema/system-definition.js';
import type { SystemHome } from '../../../core/schema/system-home.js';
import { findTable } from '../../../core/vendor/ddl.js';
import type { Dialect } from '../../../core/vendor/dialect.js';
import { epoch } from '../../definitions/bookkeeping.js';
import { applyChange, ensureTable, type MigrationDeps } from '../create-tables.js';
import { orderDefinitions } from '../order-definitions.js';
import { indexChanges } from '../table-spec.js';
import { demoDefinitions, demoHome } from './demo-definitions.js';
import { insertDemoMetadata } from './insert-demo-metadata.js';
import { insertDemoRows } from './insert-demo-rows.js';

export type DemoResult =
  | { readonly kind: 'loaded'; readonly collections: readonly string[] }
  | { readonly kind: 'refused'; readonly taken: readonly string[] };

export async function loadDemo(dialect: Dialect, system: SystemHome): Promise<DemoResult> {
  if (dialect.mirrored !== null) throw new Error('the bookshop needs a database to write to: leave out SYSTEM_DATABASE_URL');
  const taken = await dialect.exclusively(async (connection) => {
    const before = await dialect.introspect(connection);
    const taken = demoDefinitions.filter((definition) => findTable(before, tableOf(definition)));
    if (taken.length === 0) await createTables({ dialect, connection, system: demoHome }, before);
    return taken.map((definition) => definition.collection);
  });
  if (taken.length > 0) return { kind: 'refused', taken };
  try {
    await dialect.driver.transaction(async (connection) => {
      await insertDemoRows(dialect, connection);
      await insertDemoMetadata(dialect, connection, system);
      await openEpochs(dialect, epoch, system).bump(connection, 'schema');
    });
  } catch (error) {
    await dialect.exclusively((connection) => dropTables({ dialect, connection, system: demoHome }));
    throw error;
  }
  return { kind: 'loaded', collections: demoDefinitions.map((definition) => definition.collection) };
}

const tableOf = (definition: SystemDefinition) => ({ schema: null, name: definition.collection });

async function createTables(deps: MigrationDeps, before: RawDatabase): Promise<void> {
  try {
    for (const entry of orderDefinitions(deps.system.definitions)) await ensureTable(deps, entry, before);
    const made = await deps.dialect.introspect(deps.connection);
    for (const change of deps.system.definitions.flatMap((definition) => indexChanges(definition, demoHome)))
      await applyChange(deps, change, made);
  } catch (error) {
    if (!deps.dialect.ddl.transactional) await dropTables(deps);
    throw error;
  }
}

/** Called only for tables that the same call of `loadDemo` has created. */
async function dropTables(deps: MigrationDeps): Promise<void> {
  const before = await deps.dialect.introspect(deps.connection);
  for (const { definition } of orderDefinitions(deps.system.definitions).toReversed()) {
    const table = tableOf(definition);
    if (findTable(before, table)) await applyChange(deps, { kind: 'drop-table', table }, before);
  }
}
