// A structure to be changed, on a database of its own, without a service around it.

import { type Caller, serviceCaller } from '../../src/core/access/view.js';
import { openSchemaStore, type SchemaStore } from '../../src/core/engine/store/schema-store.js';
import { ownHome } from '../../src/core/schema/system-home.js';
import type { Dialect } from '../../src/core/vendor/dialect.js';
import { systemDefinitions } from '../../src/service/definitions/system-definitions.js';
import { loadState, type StructureDeps } from '../../src/service/structure/change/load-state.js';
import type { StructureState } from '../../src/service/structure/plan/structure-state.js';
import { type Change, openStructure, type Preview, type Structure } from '../../src/service/structure/structure.js';
import { install } from '../../src/service/system/install.js';
import { installOptions } from '../harness/install-options.js';
import { openDialect } from '../harness/open-dialect.js';
import { createDatabase, type Vendor } from '../harness/vendors.js';

export interface TestStructure {
  readonly dialect: Dialect;
  readonly store: SchemaStore;
  readonly structure: Structure;
  readonly deps: StructureDeps;
  readonly url: string;
  caller(): Caller;
  run<T>(change: Change<T>): Promise<T>;
  preview(change: Change<unknown>): Promise<Preview>;
  /** What the database holds, read anew. */
  state(): Promise<StructureState>;
  sql(text: string): Promise<number>;
  rows(text: string): Promise<readonly (readonly unknown[])[]>;
  close(): Promise<void>;
}

/**
 * `prepare`: the database before the service comes to it; null: a copy of the prepared one, with the tables of the service. `wrap`: the dialect as the
 * structure sees it.
 */
export async function openTestStructure(
  vendor: Vendor,
  prepare: ((dialect: Dialect) => Promise<void>) | null = null,
  wrap: (dialect: Dialect) => Dialect = (dialect) => dialect,
): Promise<TestStructure> {
  const database = await createDatabase(vendor, 'structure', prepare === null ? vendor.prepared : undefined);
  const dialect = await openDialect(vendor.name, database.url);
  await prepare?.(dialect);
  await install(installOptions(dialect, { secret: 'x', adminPassword: 'x' }));
  const options = { system: ownHome(systemDefinitions) };
  const store = await openSchemaStore({ dialect, ...options });
  const deps = { dialect: wrap(dialect), ...options };
  const structure = openStructure(deps, store, () => (value) => value);
  const caller = (): Caller => serviceCaller(store.current());
  return {
    dialect,
    store,
    structure,
    deps,
    url: database.url,
    caller,
    run: (change) => structure.run(caller(), change),
    preview: (change) => structure.preview(change),
    state: () => loadState(deps, { readDatabase: dialect.introspect }, dialect.driver),
    sql: (text) => dialect.driver.run({ kind: 'write', text, values: [] }),
    rows: (text) => dialect.driver.rows({ kind: 'read', text, values: [] }),
    async close() {
      store.close();
      await dialect.driver.close();
      await database.drop();
    },
  };
}
