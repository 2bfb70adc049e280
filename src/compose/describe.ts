// Puts together the descriptions of the service: OpenAPI, types, server info and health.

import type { Config } from '../config.js';
import { serviceCaller } from '../core/access/view.js';
import type { SchemaStore } from '../core/engine/store/schema-store.js';
import type { MetaRow } from '../core/schema/meta-row.js';
import { textOf } from '../core/schema/meta-row.js';
import type { SystemHome } from '../core/schema/system-home.js';
import type { Dialect } from '../core/vendor/dialect.js';
import { restTable } from '../doors/rest/operations/rest-table.js';
import { readSetupCode, type SetupTables } from '../service/auth/account/setup.js';
import { describeTypes } from '../service/describe/describe-types.js';
import { checkHealth, type Health, publicHealth, shareChecks } from '../service/describe/health.js';
import { type RequestMetrics, writeMetrics } from '../service/describe/metrics.js';
import { describeApi } from '../service/describe/openapi/describe-api.js';
import type { OperationRoute } from '../service/describe/openapi/operation-route.js';
import { describeServer, type ServerFacts } from '../service/describe/server-info.js';
import type { ServerDeps } from '../service/operations/operation-deps.js';
import { publicSettings } from '../service/operations/server.js';
import { version } from '../version.js';
import type { Engine } from './engine.js';

export interface ComposeDescribeDeps {
  readonly config: Config;
  readonly dialect: Dialect;
  readonly system: Pick<SystemHome, 'protocol'>;
  readonly store: SchemaStore;
  readonly engine: Engine;
  readonly tables: SetupTables;
  /** Further checks of the health of the service. */
  readonly checks: () => Health['checks'];
  /** What requests took; null: they are not measured. */
  readonly requests: RequestMetrics | null;
  /** Whether the service is about to end. */
  readonly isEnding: () => boolean;
  /** Routes of this service alone. */
  readonly routes: readonly OperationRoute[];
}

export function composeDescribe(deps: ComposeDescribeDeps): Omit<ServerDeps, 'graphqlAliases' | 'graphqlSchema' | 'slowStatements'> {
  const { config, dialect, system, store, engine, tables, checks, requests, isEnding, routes } = deps;
  const facts: ServerFacts = {
    version,
    protocol: system.protocol,
    queryLimit: { default: config.queryLimitDefault, max: config.queryLimitMax ?? -1 },
    rateLimit: config.rateLimit,
    uploadLimit: config.uploadLimit,
    websockets: config.websockets ? { authentication: config.websocketsAuth, heartbeatMs: config.websocketsHeartbeat } : null,
  };
  const readSettings = async (): Promise<MetaRow> => {
    const work = { caller: serviceCaller(store.current()), connection: dialect.driver, signal: null, afterCommit: null };
    const [row = {}] = await engine.reader.objects(work, 'service_settings', { fields: Object.keys(publicSettings), limit: 1 });
    return row;
  };
  let isSetUp = false;
  /** A setup that is complete stays so, and is not asked for again. */
  const isSetupComplete = async (): Promise<boolean> => {
    isSetUp ||= (await readSetupCode(tables, dialect.driver)) === null;
    return isSetUp;
  };
  const health = shareChecks(() =>
    checkHealth(dialect, {
      readData: readSettings,
      timeoutMs: config.healthTimeout,
      release: version,
      serviceId: config.publicUrl ?? 'tain',
      others: checks,
    }),
  );
  return {
    health: async ({ accountability }) => (accountability.admin ? health() : publicHealth(await health())),
    isReady: () => !isEnding() && store.isInTouch(),
    metrics: () =>
      writeMetrics({
        requests,
        pool: () => dialect.driver.pool(),
        statements: () => dialect.driver.statements(),
        caches: engine.caches,
        replicas: () => dialect.replicas?.states() ?? [],
        checks,
      }),
    info: async (caller) => describeServer(caller, await readSettings(), await isSetupComplete(), facts),
    types: ({ view }) => describeTypes(view),
    openApi: async (caller, url) => {
      const settings = await readSettings();
      const ruleCaller = { ...caller, registration: settings['public_registration'] === true };
      return describeApi(ruleCaller, {
        title: textOf(settings, 'project_name') ?? 'Tain',
        url: config.publicUrl ?? `${url}${config.basePath}`,
        routes: [...restTable, ...routes],
      });
    },
  };
}
