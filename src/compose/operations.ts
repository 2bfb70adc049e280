// Puts together what operations work with, and the way by which an application around the service calls them.

import type { Config } from '../config.js';
import { noGrants } from '../core/access/permission.js';
import { type Caller, makeView, serviceCaller } from '../core/access/view.js';
import { systemRows } from '../core/engine/own-rows/system-rows.js';
import type { SchemaStore } from '../core/engine/store/schema-store.js';
import type { Work } from '../core/engine/work/work.js';
import type { QueryLimits } from '../core/query/query.js';
import type { SystemHome } from '../core/schema/system-home.js';
import type { Dialect } from '../core/vendor/dialect.js';
import type { Connection } from '../core/vendor/driver.js';
import type { GraphqlAnswers } from '../doors/graphql/graphql-routes.js';
import { visibleAliases } from '../doors/graphql/schema/names/graphql-names.js';
import type { CallOperation } from '../embedding.js';
import type { ClientFacts } from '../service/auth/auth-context.js';
import type { Automation } from '../service/automation/open-automation.js';
import { syncIds } from '../service/definitions/bookkeeping.js';
import type { FilesDeps } from '../service/files/transfer/files-deps.js';
import { plainValue } from '../service/operations/carried-values.js';
import { findOperation } from '../service/operations/catalogue.js';
import type { Operation } from '../service/operations/operation.js';
import type { OperationDeps } from '../service/operations/operation-deps.js';
import { givenInput, runOperation } from '../service/operations/run-operation.js';
import type { Structure } from '../service/structure/structure.js';
import { keepFile } from '../service/utilities/export/export-to-file.js';
import { version } from '../version.js';
import type { Identity } from './auth.js';
import { type ComposeDescribeDeps, composeDescribe } from './describe.js';
import type { Engine } from './engine.js';
import { explainDatabaseError } from './explain-database-error.js';
import type { OpenedExtensions } from './extensions.js';
import type { History } from './history.js';
import { renewCaller } from './renew-caller.js';

export interface ComposeOperationsDeps {
  readonly config: Config;
  readonly dialect: Dialect;
  readonly store: SchemaStore;
  readonly engine: Engine;
  readonly limits: QueryLimits;
  readonly identity: Identity;
  readonly history: History;
  readonly files: FilesDeps;
  readonly structure: Structure;
  readonly loadGraphql: () => Promise<GraphqlAnswers>;
  readonly checks: ComposeDescribeDeps['checks'];
  readonly requests: ComposeDescribeDeps['requests'];
  readonly isEnding: ComposeDescribeDeps['isEnding'];
  readonly slowStatements: OperationDeps['server']['slowStatements'];
  readonly report: (error: unknown) => void;
  readonly system: SystemHome;
  readonly automation: Automation;
  readonly extensions: OpenedExtensions;
}

export function composeOperations(deps: ComposeOperationsDeps): OperationDeps {
  const { config, dialect, store, engine, limits, identity, history, files, structure, loadGraphql, report } = deps;
  const { checks, requests, isEnding, extensions } = deps;
  const { reader, writer, resolveStored } = engine;
  return {
    reader,
    writer,
    resolveStored,
    limits,
    idempotency: history.idempotency,
    auth: identity.auth,
    authenticator: identity.authentication.authenticator,
    signOn: identity.signOn,
    versions: history.versions,
    server: {
      ...composeDescribe({
        config,
        dialect,
        system: deps.system,
        store,
        engine,
        tables: identity.auth.tables,
        checks,
        requests,
        isEnding,
        routes: extensions.routes,
      }),
      slowStatements: deps.slowStatements,
      graphqlAliases: ({ view }) => visibleAliases(view),
      graphqlSchema: async (caller, scope) => (await loadGraphql()).printSchema(caller, scope),
    },
    files,
    structure,
    automation: deps.automation,
    extensions: extensions.loaded,
    syncIds: systemRows(dialect.syntax, syncIds, deps.system),
    origin: originOf(deps.system, (dialect.mirrored ?? dialect).vendor),
    clearCache: async () => {
      await store.refresh();
    },
    exports: {
      reader,
      writer,
      limits,
      storeFile: (caller, file) => keepFile(files, writer, caller, file),
      serviceCaller: () => serviceCaller(store.current()),
      running: new Set(),
      report,
    },
  };
}

/** Who made a snapshot: the clients of the protocol look for its version. */
const originOf = ({ protocol }: SystemHome, vendor: string): OperationDeps['origin'] => ({
  tain: version,
  ...(protocol === null ? {} : { directus: protocol }),
  vendor,
});

/** A caller without any rights. */
export function publicCaller(store: SchemaStore): Caller {
  const schema = store.current();
  const { accountability } = serviceCaller(schema);
  return { view: makeView(schema, noGrants), accountability: { ...accountability, admin: false, app: false } };
}

export const plainWork = (caller: Caller, connection: Connection): Work => ({ caller, connection, signal: null, afterCommit: null });

/** Unless the application says otherwise, calls come from the same machine, and carry no browser and no origin. */
const ownClient: ClientFacts = { ip: '127.0.0.1', userAgent: null, origin: null };

export interface ComposeCallDeps {
  readonly deps: OperationDeps;
  readonly dialect: Dialect;
  readonly store: SchemaStore;
  /** Where clients reach the service. */
  readonly url: string;
  /** Those of this service alone. */
  readonly own: readonly Operation[];
}

/** Runs an operation by its id as this caller. */
export type CallAs = (caller: Caller, id: string, input: Readonly<Record<string, unknown>>) => Promise<unknown>;

export function openCallsAs(deps: ComposeCallDeps): CallAs {
  const run = unexplainedCalls(deps);
  return (...asked) => explained(() => run(...asked));
}

function unexplainedCalls({ deps, dialect, url, own }: ComposeCallDeps): CallAs {
  const byId = new Map(own.map((operation) => [operation.id, operation]));
  return async (caller, id, input) => {
    const operation = byId.get(id) ?? findOperation(id);
    if (operation === null) throw new Error(`there is no operation "${id}"`);
    const request = {
      work: plainWork(caller, dialect.driver),
      url,
      idempotencyKey: null,
      // Nobody disconnects: the application awaits the result.
      signal: () => new AbortController().signal,
      cookie: () => null,
    };
    return plainValue((await runOperation(deps, operation, request, givenInput(input))).value);
  };
}

export function openCalls(callDeps: ComposeCallDeps): CallOperation {
  const { store, deps } = callDeps;
  const { authenticator } = deps;
  const callAs = unexplainedCalls(callDeps);
  return async (id, input = {}, named = null, of = {}) => {
    const client = { ...ownClient, ...of };
    const caller =
      named === null
        ? authenticator.authenticate(null, client, 'anything')
        : authenticator.authenticateUser(named.user, client, 'anything');
    return explained(async () => {
      const first = await caller;
      return callAs(first, id, input).catch(async (error: unknown) => {
        const renewed = await renewCaller(store, error, first);
        if (renewed.caller === null) throw renewed.failure;
        return callAs(renewed.caller, id, input);
      });
    });
  };
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explainDatabaseError(error) ?? error;
  }
}
