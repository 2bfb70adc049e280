// Puts automation together: what flows work with, and what they leave behind.

import type { Config } from '../config.js';
import { bulkRows } from '../core/engine/own-rows/bulk-rows.js';
import { systemRows } from '../core/engine/own-rows/system-rows.js';
import type { Jobs } from '../core/engine/store/jobs.js';
import type { SchemaStore } from '../core/engine/store/schema-store.js';
import type { QueryLimits } from '../core/query/query.js';
import type { SystemHome } from '../core/schema/system-home.js';
import type { Dialect } from '../core/vendor/dialect.js';
import { type Automation, openAutomation } from '../service/automation/open-automation.js';
import { RunLog } from '../service/automation/runs/run-log.js';
import { openScriptPool } from '../service/automation/script/script-pool.js';
import { runs } from '../service/definitions/automation.js';
import { flows, operations } from '../service/definitions/flows.js';
import { makeAddressCheck } from '../service/outbound/public-address.js';
import type { Identity } from './auth.js';
import type { Engine } from './engine.js';
import type { History } from './history.js';

export interface ComposeAutomationDeps {
  readonly config: Config;
  readonly dialect: Dialect;
  readonly store: SchemaStore;
  readonly system: SystemHome;
  readonly engine: Engine;
  readonly identity: Identity;
  readonly history: History;
  readonly jobs: Jobs;
  readonly limits: QueryLimits;
  /** What an operation of a flow writes to the log. */
  readonly log: (flow: string, message: string) => void;
  readonly report: (error: unknown) => void;
}

export function composeAutomation(deps: ComposeAutomationDeps): Promise<Automation> {
  const { config, dialect, store, system, engine, identity, history, jobs, limits, log, report } = deps;
  const environment = Object.fromEntries(config.flowsEnvAllowList.flatMap((name) => variable(name)));
  const secrets = Object.values(environment);
  return openAutomation({
    authenticator: identity.authentication.authenticator,
    store,
    jobs,
    secrets,
    runs: {
      rows: systemRows(dialect.syntax, runs, system),
      bulk: bulkRows(dialect, runs, system),
      // Requests keep three quarters of the connections.
      maxAtOnce: Math.max(1, Math.floor(dialect.driver.pool().size / 4)),
    },
    hooks: engine.hooks,
    reader: engine.reader,
    writer: engine.writer,
    connection: dialect.driver,
    limits,
    outgoing: { isAllowed: makeAddressCheck(config.importAllow) },
    scripts: openScriptPool(),
    mailer: identity.auth.mailer,
    log,
    report,
    environment,
    tables: { flows: systemRows(dialect.syntax, flows, system), operations: systemRows(dialect.syntax, operations, system) },
    runLog: config.history ? new RunLog({ tables: history.context.tables, writer: engine.writer, store, report, secrets }) : null,
  });
}

const variable = (name: string): readonly (readonly [string, string])[] => {
  const value = process.env[name];
  return value === undefined ? [] : [[name, value]];
};
