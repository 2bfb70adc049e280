// Puts the doors together over one engine.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.js';
import { serviceCaller } from '../core/access/view.js';
import { type Jobs, openJobs } from '../core/engine/store/jobs.js';
import type { SchemaStore } from '../core/engine/store/schema-store.js';
import { timedConnection } from '../core/engine/work/timed-connection.js';
import type { Work } from '../core/engine/work/work.js';
import { ServiceError } from '../core/errors/service-error.js';
import { defaultQueryLimits, type QueryLimits } from '../core/query/query.js';
import type { SystemHome } from '../core/schema/system-home.js';
import type { Dialect } from '../core/vendor/dialect.js';
import type { Driver } from '../core/vendor/driver.js';
import { findStudio } from '../doors/admin/studio-files.js';
import { addStudioRoutes } from '../doors/admin/studio-routes.js';
import { addGraphqlRoutes, type GraphqlAnswers } from '../doors/graphql/graphql-routes.js';
import { listAliases } from '../doors/graphql/schema/names/graphql-names.js';
import { isNewOutage } from '../doors/http/answer/outages.js';
import { authenticateRequest } from '../doors/http/request/authenticate-request.js';
import { ReadAfter } from '../doors/http/request/read-after.js';
import type { Traces } from '../doors/http/request/traces.js';
import { createHttp } from '../doors/http/server/create-http.js';
import type { Gate } from '../doors/http/server/gate.js';
import { addFileRoutes } from '../doors/rest/file-routes.js';
import { itemsCollection } from '../doors/rest/item-target.js';
import { addOperationRoutes } from '../doors/rest/operations/add-operation-routes.js';
import type { RestDeps } from '../doors/rest/operations/rest-route.js';
import { addPageRoutes } from '../doors/rest/page-routes.js';
import { addReadRoutes } from '../doors/rest/read-routes.js';
import { addSignOnRoutes } from '../doors/rest/sign-on-routes.js';
import { addItemWriteRoutes, addWriteRoutes, type WriteRouteDeps } from '../doors/rest/write-routes.js';
import type { CallOperation } from '../embedding.js';
import type { HostCaller } from '../service/auth/auth-context.js';
import type { Automation } from '../service/automation/open-automation.js';
import { epoch } from '../service/definitions/bookkeeping.js';
import { systemDefinitions } from '../service/definitions/system-definitions.js';
import { RequestMetrics } from '../service/describe/metrics.js';
import { ChangeFeed } from '../service/events/change-feed.js';
import type { LoadedFiles } from '../service/extensions/load-extensions.js';
import { type FilesDeps, filesCollection } from '../service/files/transfer/files-deps.js';
import { type KeyAdministration, openKeyAdministration } from '../service/operations/key-administration.js';
import type { OperationDeps } from '../service/operations/operation-deps.js';
import { createSeal } from '../service/secrets/seal.js';
import type { StructureDeps } from '../service/structure/change/load-state.js';
import { settleUnfinished } from '../service/structure/change/unfinished.js';
import { openStructure } from '../service/structure/structure.js';
import { resources } from '../service/system/resources.js';
import { storeNames } from '../service/system/wire/store-names.js';
import { addMcp } from './add-mcp.js';
import { composeIdentity, type Identity, providerChecks, startAuth } from './auth.js';
import { type ComposeAutomationDeps, composeAutomation } from './automation.js';
import { composeEngine, type Engine } from './engine.js';
import { explainDatabaseError, isStale, isTemporary } from './explain-database-error.js';
import type { ComposeExtensionsDeps, OpenedExtensions } from './extensions.js';
import { composeFiles } from './files.js';
import type { ComposeGraphqlDeps } from './graphql.js';
import { composeHistory } from './history.js';
import {
  type CallAs,
  type ComposeCallDeps,
  type ComposeOperationsDeps,
  composeOperations,
  openCalls,
  openCallsAs,
  plainWork,
  publicCaller,
} from './operations.js';
import { openRealtime, type Realtime } from './realtime.js';
import { renewCaller } from './renew-caller.js';
import type { Siblings } from './siblings.js';
import { noSlowStatements, openSlowStatements, type SlowStatements } from './slow-statements.js';
import { besideSockets } from './socket-callers.js';

export interface AppParts {
  readonly config: Config;
  readonly dialect: Dialect;
  readonly store: SchemaStore;
  readonly system: SystemHome;
  readonly secret: string;
  readonly gate: Gate;
  readonly siblings: Siblings | null;
  /** Reads the epochs of other processes without announcing anything, so that two processes do not trigger each other forever. */
  readonly checkEpochs: () => Promise<void>;
  readonly hostCaller: HostCaller | null;
  readonly traces: Traces | null;
  readonly extensions: LoadedFiles | null;
  /** Whether the service is about to end. */
  readonly isEnding: () => boolean;
}

export interface App {
  readonly app: FastifyInstance;
  readonly engine: Engine;
  readonly call: CallOperation;
  readonly realtime: Realtime;
  readonly origin: OperationDeps['origin'];
  readonly keys: KeyAdministration;
}

export type ComposeApp = typeof composeApp;

export async function composeApp(parts: AppParts): Promise<App> {
  const { slowStatement: thresholdMs } = parts.config;
  if (thresholdMs === null) return composeOn(parts, null);
  const slow = openSlowStatements({ thresholdMs });
  return composeOn({ ...parts, dialect: slow.watch(parts.dialect) }, slow);
}

async function composeOn(parts: AppParts, slow: SlowStatements | null): Promise<App> {
  const { config, dialect, store, system, secret } = parts;
  const limits = queryLimits(config);
  const report =
    (text: string) =>
    (error: unknown): void => {
      if (!(error instanceof ServiceError) || isNewOutage(app.log, error)) app.log.error({ err: error }, text);
    };
  const feed = new ChangeFeed(() => store.current());
  const engine = composeEngine({ dialect, store, limits, secret, onEffectError: report('an effect of a write failed'), changes: feed });
  storeNames(engine.hooks, systemDefinitions);
  const studio = config.admin ? findStudio() : null;
  const identity = openIdentity(parts, engine, limits, studio !== null, () => app.log);
  const requests = config.metrics ? new RequestMetrics() : null;
  const app = await openHttp(parts, identity, requests);
  slow?.follow(app);
  if (studio !== null) addStudioRoutes(app, studio);
  addPageRoutes(app, { studio: studio !== null });
  const jobs = startJobs(app, parts);
  app.addHook('onClose', startAuth(identity.auth, engine.hooks, jobs));
  const history = composeHistory({ config, dialect, store, system, engine, secret, identity, jobs });
  app.addHook('onClose', history.stop);
  const realtime = openRealtime({ ...parts, app, engine, limits, identity, feed });
  const door: WriteRouteDeps = {
    follow: realtime.follow,
    reader: engine.reader,
    writer: engine.writer,
    idempotency: history.idempotency,
    versions: history.restVersionReader,
    limits,
    work: workOn(dialect.driver),
  };
  const deps = { dialect, system };
  void settleAtStart(deps, store, report('a change of structure that ended in the middle could not be settled'));
  const structure = openStructure(deps, store, engine.resolveStored);
  addItemRoutes(app, door);
  const files = await addFiles(app, parts, engine, door, report('a content of the storage could not be kept or removed'));
  const automation = await addAutomation(app, parts, { engine, identity, history, jobs, limits });
  const { operations, loadGraphql, calls } = await addOperations(app, parts, {
    engine,
    limits,
    identity,
    history,
    files,
    structure,
    automation,
    door,
    checks: () => ({ ...realtime.checks(), ...providerChecks(identity.signOn.providers) }),
    requests,
    slowStatements: slow?.list ?? noSlowStatements,
    report: report('an export failed'),
  });
  if (config.websockets) realtime.addSockets(loadGraphql);
  logAliases(app, store);
  await app.ready();
  return {
    app,
    engine,
    realtime,
    origin: operations.origin,
    keys: openKeyAdministration(identity.auth),
    call: openCalls(calls),
  };
}

type OperationParts = Pick<
  ComposeOperationsDeps,
  'engine' | 'limits' | 'identity' | 'history' | 'files' | 'structure' | 'automation' | 'checks' | 'requests' | 'slowStatements' | 'report'
> & {
  readonly door: WriteRouteDeps;
};

interface AddedOperations {
  readonly operations: OperationDeps;
  readonly loadGraphql: () => Promise<GraphqlAnswers>;
  readonly calls: ComposeCallDeps;
}

/** The operations of the service, by REST and by GraphQL; the latter is loaded with the first request for it. */
async function addOperations(app: FastifyInstance, parts: AppParts, { door, ...rest }: OperationParts): Promise<AddedOperations> {
  const { config, dialect, store } = parts;
  const { identity, history } = rest;
  // Extensions call operations, and their endpoints are among them.
  let callAs: CallAs = () => Promise.reject(new Error('the service is about to start'));
  const extensions = await addExtensions(app, parts, { ...rest, call: (...asked) => callAs(...asked) });
  // Keeps the promise rather than its result, so that concurrent requests load once.
  let loading: Promise<GraphqlAnswers> | null = null;
  const loadGraphql = (): Promise<GraphqlAnswers> => {
    loading ??= import('./graphql.js').then(({ composeGraphql }) => composeGraphql(graphqlDeps));
    return loading;
  };
  const operations = composeOperations({
    config,
    dialect,
    store,
    system: parts.system,
    isEnding: parts.isEnding,
    ...rest,
    extensions,
    loadGraphql,
  });
  const calls = { deps: operations, dialect, store, url: identity.auth.options.publicUrl, own: extensions.operations };
  callAs = openCallsAs(calls);
  const serve = { operations, cookies: identity.cookies, allowedOrigins: identity.authentication.allowedOrigins };
  const graphqlDeps: ComposeGraphqlDeps = {
    serve,
    versionReader: history.versionReader,
    work: door.work,
    translateError: explainDatabaseError,
    isOutdated: isStale,
    fields: extensions.fields,
  };
  const restDeps: RestDeps = {
    ...serve,
    uploadLimit: config.uploadLimit,
    work: door.work,
    publicWork: () => plainWork(publicCaller(store), dialect.driver),
  };
  const limits = { bodyLimit: config.bodyLimit, bodyTimeoutMs: config.bodyTimeout };
  await addOperationRoutes(app, restDeps, limits, extensions.routes);
  await addFileRoutes(app, door, restDeps);
  await addSignOnRoutes(app, restDeps, config.bodyTimeout);
  app.addHook('onClose', async () => {
    await Promise.all(operations.exports.running);
  });
  addGraphqlRoutes(app, loadGraphql);
  if (config.mcp) addMcp(app, { secret: parts.secret, serve, work: door.work, endpoints: extensions.agents });
  return { operations, loadGraphql, calls };
}

/** The work of a request outside of a transaction. Reads end when the client leaves; what writes runs to its end. */
const workOn =
  (driver: Driver) =>
  (request: FastifyRequest): Work => {
    const { caller, clock, readAfter, onlyReads, signal } = request.context;
    const work = { caller, connection: timedConnection(driver, clock), signal: onlyReads ? signal : null, afterCommit: null, clock };
    const position = readAfter?.of(request);
    return position === undefined ? work : { ...work, readAfter: position };
  };

/** More aliases than this are logged by their number only. */
const mostAliases = 200;

function logAliases({ log }: FastifyInstance, store: SchemaStore): void {
  const aliases = listAliases(store.current()).map(({ collection, field, name }) => [
    field === null ? collection : `${collection}.${field}`,
    name,
  ]);
  if (aliases.length === 0) return;
  log.info({ count: aliases.length, aliases: Object.fromEntries(aliases.slice(0, mostAliases)) }, 'names that differ in GraphQL');
}

async function addFiles(
  app: FastifyInstance,
  { config, dialect, store }: AppParts,
  engine: Engine,
  door: WriteRouteDeps,
  report: (error: unknown) => void,
): Promise<FilesDeps> {
  const { files, stop } = await composeFiles({ config, dialect, store, engine, limits: door.limits, report });
  app.addHook('onClose', async () => stop());
  return files;
}

async function addExtensions(
  app: FastifyInstance,
  { dialect, store, extensions }: AppParts,
  deps: Pick<ComposeExtensionsDeps, 'engine' | 'limits' | 'call' | 'automation'>,
): Promise<OpenedExtensions> {
  if (extensions === null) return { loaded: [], operations: [], routes: [], fields: [], agents: [], close: async () => undefined };
  for (const fault of extensions.faults) app.log.warn({ fault }, 'an extension was left out');
  const { composeExtensions } = await import('./extensions.js');
  const opened = composeExtensions({ ...deps, dialect, store, log: app.log }, extensions.found);
  app.addHook('onClose', () => opened.close());
  return opened;
}

async function addAutomation(
  app: FastifyInstance,
  { config, dialect, store, system }: AppParts,
  deps: Pick<ComposeAutomationDeps, 'engine' | 'identity' | 'history' | 'jobs' | 'limits'>,
): Promise<Automation> {
  const automation = await composeAutomation({
    config,
    dialect,
    store,
    system,
    ...deps,
    log: (flow, message) => app.log.info({ flow, message }, 'a flow says'),
    report: (error) => app.log.error({ err: error }, 'a flow could not go on'),
  });
  app.addHook('onClose', automation.close);
  return automation;
}

function startJobs(app: FastifyInstance, { dialect, store, system }: AppParts): Jobs {
  const jobs = openJobs({
    dialect,
    definition: epoch,
    system,
    report: (error, job) => app.log.error({ err: error, job }, 'a job failed'),
    onTakeover: (job) => app.log.warn({ job }, 'a job is taken over: the process that ran it is gone'),
  });
  store.onJobs(jobs.observe);
  app.addHook('onClose', jobs.stop);
  return jobs;
}

/** Runs in the background, since another process may be in the middle of a long change. The next change tries again. */
async function settleAtStart(deps: StructureDeps, store: SchemaStore, report: (error: unknown) => void): Promise<void> {
  try {
    if (await settleUnfinished(deps)) await store.refresh();
  } catch (error) {
    if (!isTemporary(error)) report(error);
  }
}

function openIdentity(
  { config, dialect, store, system, secret, siblings, hostCaller }: AppParts,
  engine: Engine,
  queryLimits: QueryLimits,
  hasStudio: boolean,
  log: () => FastifyInstance['log'],
): Identity {
  return composeIdentity({
    config,
    dialect,
    store,
    system,
    secret,
    siblings,
    hostCaller: besideSockets(hostCaller),
    hasStudio,
    queryLimits,
    readObjects: (connection, collection, query) =>
      engine.reader.objects({ caller: serviceCaller(store.current()), connection, signal: null, afterCommit: null }, collection, query),
    createItems: (caller, collection, items) => engine.writer.transaction(caller, (work) => engine.writer.create(work, collection, items)),
    log: {
      info: (details, text) => log().info(details, text),
      warn: (details, text) => log().warn(details, text),
      error: (details, text) => log().error(details, text),
    },
  });
}

const openHttp = (parts: AppParts, identity: Identity, requests: RequestMetrics | null): Promise<FastifyInstance> => {
  const { config, store, gate, traces } = parts;
  return createHttp({
    ...(requests === null ? {} : { observe: requests.observe.bind(requests) }),
    logLevel: config.logLevel,
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigin,
    bodyLimit: config.bodyLimit,
    bodyTimeoutMs: config.bodyTimeout,
    serverTiming: config.serverTiming,
    traces,
    readAfter: openReadAfter(parts, identity),
    gate,
    authenticate: (request, reply) => authenticateRequest(identity.authentication, request, reply),
    translateError: explainDatabaseError,
    renew: async (error, { context }) => {
      const { caller, failure } = await renewCaller(store, error, context.knownCaller);
      if (caller !== null) context.caller = caller;
      return { again: caller !== null, failure };
    },
  });
};

/** A cookie is kept for a minute longer than a copy may be behind. */
const openReadAfter = ({ config, dialect: { replicas }, secret }: AppParts, { cookies }: Identity): ReadAfter | null =>
  replicas === null
    ? null
    : new ReadAfter({ replicas, seal: createSeal(secret, 'read after'), cookies, keepMs: config.replicaLag + 60_000 });

/** Every collection by one set of routes: the user's under /items, ours under their own paths. */
function addItemRoutes(app: FastifyInstance, door: WriteRouteDeps): void {
  addReadRoutes(app, door, '/items/:collection', itemsCollection);
  addItemWriteRoutes(app, door, '/items/:collection', itemsCollection);
  for (const { path, collection, readOnly } of resources) {
    addReadRoutes(app, door, `/${path}`, () => collection);
    if (!readOnly && collection !== filesCollection) addWriteRoutes(app, door, `/${path}`, () => collection);
  }
}

const queryLimits = (config: Config): QueryLimits => ({
  ...defaultQueryLimits,
  depth: config.queryDepth,
  defaultLimit: config.queryLimitDefault,
  maxLimit: config.queryLimitMax ?? -1,
  maxWritten: config.maxBatchMutation ?? -1,
});
