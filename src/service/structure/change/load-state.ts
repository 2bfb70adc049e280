// Reads the state that planners start from, on the connection of the change.

import { definitionOf } from '../../../core/engine/own-rows/definition-of.js';
import { systemRows } from '../../../core/engine/own-rows/system-rows.js';
import { loadMetadata } from '../../../core/engine/store/load-metadata.js';
import type { SchemaStore } from '../../../core/engine/store/schema-store.js';
import type { SystemHome } from '../../../core/schema/system-home.js';
import type { Dialect } from '../../../core/vendor/dialect.js';
import type { Connection } from '../../../core/vendor/driver.js';
import { makeState, type StructureState } from '../plan/structure-state.js';

export interface StructureDeps {
  readonly dialect: Dialect;
  readonly system: SystemHome;
}

export async function loadState(
  { dialect, system }: StructureDeps,
  store: Pick<SchemaStore, 'readDatabase'>,
  connection: Connection,
): Promise<StructureState> {
  const permissionRows = systemRows(dialect.syntax, definitionOf(system, 'service_permissions'), system);
  return makeState(
    { ddl: dialect.ddl, system },
    {
      database: await store.readDatabase(connection),
      metadata: await loadMetadata(dialect, connection, system),
      permissions: await permissionRows.read(connection, 'all'),
    },
  );
}
