// Puts the extensions together with the engine and with the tables of the doors; loaded only where there are some.

import type { FastifyBaseLogger } from 'fastify';
import type { SchemaStore } from '../core/engine/store/schema-store.js';
import type { QueryLimits } from '../core/query/query.js';
import type { Dialect } from '../core/vendor/dialect.js';
import type { OperationField } from '../doors/graphql/operations/operation-field.js';
import type { MarkedEndpoint } from '../doors/mcp/tools/endpoint-tool.js';
import type { RestRoute } from '../doors/rest/operations/rest-route.js';
import type { Automation } from '../service/automation/open-automation.js';
import type { ContextDeps } from '../service/extensions/context.js';
import type { OfferedEndpoint } from '../service/extensions/endpoints.js';
import type { FoundExtension } from '../service/extensions/load-extensions.js';
import { openExtensions } from '../service/extensions/open-extensions.js';
import type { Operation } from '../service/operations/operation.js';
import type { LoadedExtension } from '../service/operations/operation-deps.js';
import type { Engine } from './engine.js';

export interface OpenedExtensions {
  readonly loaded: readonly LoadedExtension[];
  readonly operations: readonly Operation[];
  readonly routes: readonly RestRoute[];
  readonly fields: readonly OperationField[];
  /** What assistants may use. */
  readonly agents: readonly MarkedEndpoint[];
  close(): Promise<void>;
}

export interface ComposeExtensionsDeps {
  readonly dialect: Dialect;
  readonly store: SchemaStore;
  readonly engine: Engine;
  readonly limits: QueryLimits;
  readonly log: FastifyBaseLogger;
  readonly call: ContextDeps['call'];
  readonly automation: Pick<Automation, 'extensionRuns'>;
}

export function composeExtensions(deps: ComposeExtensionsDeps, found: readonly FoundExtension[]): OpenedExtensions {
  const { dialect, store, engine, limits, log, call, automation } = deps;
  const { endpoints, loaded, close } = openExtensions(
    {
      reader: engine.reader,
      writer: engine.writer,
      hooks: engine.hooks,
      limits,
      store,
      connection: dialect.driver,
      logOf: (extension) => ({
        info: (message, facts = {}) => log.info({ extension, ...facts }, message),
        warn: (message, facts = {}) => log.warn({ extension, ...facts }, message),
        error: (message, facts = {}) => log.error({ extension, ...facts }, message),
      }),
      call,
      runs: automation.extensionRuns,
      report: (error) => log.error({ err: error }, 'an extension failed after a commit'),
    },
    found,
  );
  return {
    loaded,
    operations: endpoints.map(({ operation }) => operation),
    routes: endpoints.map(routeOf),
    fields: endpoints.map(({ method, operation }) => ({ operation, kind: method === 'GET' ? 'query' : 'mutation', field: operation.id })),
    agents: endpoints.filter(({ agents }) => agents).map(({ method, operation }) => ({ operation, reads: method === 'GET' })),
    close,
  };
}

const routeOf = ({ method, path, operation, rehearsal }: OfferedEndpoint): RestRoute => ({
  method,
  path,
  operation,
  ...(rehearsal === null ? {} : { dryRun: { operation: rehearsal, fixed: {} } }),
});
