// A service composed as usual, over ports that can be made to fail: the database at the vendor's port, the bucket and Redis over the network.
// Nothing runs in the background, so that the Nth call is always the same one.

import { composeApp } from '../../src/compose/app.js';
import { type Config, readConfig } from '../../src/config.js';
import { openSchemaStore } from '../../src/core/engine/store/schema-store.js';
import { ownHome } from '../../src/core/schema/system-home.js';
import type { PoolState } from '../../src/core/vendor/driver.js';
import { createGate } from '../../src/doors/http/server/gate.js';
import type { InjectedAnswer, InjectedRequest } from '../../src/embedding.js';
import { systemDefinitions } from '../../src/service/definitions/system-definitions.js';
import { loadDemo } from '../../src/service/system/demo/load-demo.js';
import { install } from '../../src/service/system/install.js';
import { type DirectAccess, openDirectAccess } from './direct-access.js';
import { type FaultyDialect, makeFaulty } from './faulty-dialect.js';
import { installOptions } from './install-options.js';
import { openDialect } from './open-dialect.js';
import { adminEmail, adminPassword, adminToken } from './start-service.js';
import { createDatabase, type Vendor } from './vendors.js';

export interface FaultyService {
  readonly faults: FaultyDialect;
  readonly direct: DirectAccess;
  /** Sends a request as the administrator, unless the headers name another caller. */
  inject(request: InjectedRequest): Promise<InjectedAnswer>;
  pool(): PoolState;
  stop(): Promise<void>;
}

/** `way`: changes the address of the database, for example to that of a proxy. */
export async function startFaultyService(
  vendor: Vendor,
  given: Partial<Config> = {},
  way: (url: string) => string = (url) => url,
): Promise<FaultyService> {
  const database = await createDatabase(vendor, 'faults', vendor.prepared);
  const config = readConfig({}, { databaseUrl: database.url, logLevel: 'silent', rateLimit: null, adminEmail, adminPassword, ...given });
  const faults = makeFaulty(await openDialect(vendor.name, way(database.url)));
  const { dialect } = faults;
  const { secret } = await install(installOptions(dialect, { adminEmail, adminPassword, adminToken }));
  const system = ownHome(systemDefinitions);
  await loadDemo(dialect, system);
  const store = await openSchemaStore({ dialect, system });
  const { app } = await composeApp({
    config,
    dialect,
    store,
    system,
    secret,
    gate: createGate(),
    siblings: null,
    checkEpochs: () => store.check(),
    hostCaller: null,
    traces: null,
    extensions: null,
    isEnding: () => false,
  });
  const direct = await openDirectAccess(vendor, database.url);
  return {
    faults,
    direct,
    inject: (request) => app.inject({ ...request, headers: { authorization: `Bearer ${adminToken}`, ...request.headers } }),
    pool: () => dialect.driver.pool(),
    async stop() {
      await app.close();
      store.close();
      await dialect.driver.close();
      await direct.close();
      await database.drop();
    },
  };
}
