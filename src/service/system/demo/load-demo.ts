// Loads the bookshop of `tain demo`: tables, rows, and the metadata that makes their relations known. A database that already has a
// table of one of its names is left as it is.

import { definitionOf } from '../../../core/engine/definition-of.js';
import { openEpochs } from '../../../core/engine/epochs.js';
import type { RawDatabase } from '../../../core/schema/raw.js';
import type { SystemDefinition } from '../../../core/schema/system-definition.js';
import { findTable } from '../../../core/vendor/ddl.js';
import type { Dialect } from '../../../core/vendor/dialect.js';
import { applyChange, type MigrationWork } from '../migration.js';
import { ensureTable } from '../migrations/0001-system-tables.js';
import { orderDefinitions } from '../order-definitions.js';
import { systemDefinitions } from '../system-definitions.js';
import { indexChanges } from '../table-spec.js';
import { demoDefinitions } from './demo-definitions.js';
import { insertDemoMetadata } from './insert-demo-metadata.js';
import { insertDemoRows } from './insert-demo-rows.js';

export type DemoResult =
  | { readonly kind: 'loaded'; readonly collections: readonly string[] }
  | { readonly kind: 'refused'; readonly taken: readonly string[] };

export async function loadDemo(dialect: Dialect, systemSchema: string | null): Promise<DemoResult> {
  const taken = await dialect.exclusively(async (connection) => {
    const before = await dialect.introspect(connection);
    const there = demoDefinitions.filter((definition) => findTable(before, tableOf(definition)));
    if (there.length === 0) await createTables({ dialect, connection, definitions: demoDefinitions, systemSchema: null }, before);
    return there.map((definition) => definition.collection);
  });
  if (taken.length > 0) return { kind: 'refused', taken };
  try {
    await dialect.driver.transaction(async (connection) => {
      await insertDemoRows(dialect, connection);
      await insertDemoMetadata(dialect, connection, systemSchema);
      await openEpochs(dialect, definitionOf(systemDefinitions, 'service_epoch'), systemSchema).bump(connection, 'schema');
    });
  } catch (error) {
    await dialect.exclusively((connection) => dropTables({ dialect, connection, definitions: demoDefinitions, systemSchema: null }));
    throw error;
  }
  return { kind: 'loaded', collections: demoDefinitions.map((definition) => definition.collection) };
}

const tableOf = (definition: SystemDefinition) => ({ schema: null, name: definition.collection });

async function createTables(work: MigrationWork, before: RawDatabase): Promise<void> {
  try {
    for (const entry of orderDefinitions(work.definitions)) await ensureTable(work, entry, before);
    const made = await work.dialect.introspect(work.connection);
    for (const change of work.definitions.flatMap((definition) => indexChanges(definition, null))) await applyChange(work, change, made);
  } catch (error) {
    if (!work.dialect.ddl.transactional) await dropTables(work);
    throw error;
  }
}

/** Only ever called for tables this very call has made. */
async function dropTables(work: MigrationWork): Promise<void> {
  const before = await work.dialect.introspect(work.connection);
  for (const { definition } of orderDefinitions(work.definitions).toReversed()) {
    const table = tableOf(definition);
    if (findTable(before, table)) await applyChange(work, { kind: 'drop-table', table }, before);
  }
}
