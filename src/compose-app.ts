// Puts the doors together over one engine.

import type { FastifyInstance } from 'fastify';
import { composeIdentity, type Identity } from './compose-auth.js';
import { composeDescribe } from './compose-describe.js';
import { composeEngine, type Engine } from './compose-engine.js';
import { composeFiles } from './compose-files.js';
import { composeHistory } from './compose-history.js';
import { composeUtilities } from './compose-utilities.js';
import type { Config } from './config.js';
import { makeView, serviceCaller } from './core/access/view.js';
import type { SchemaStore } from './core/engine/schema-store.js';
import { defaultQueryLimits, type QueryLimits } from './core/query/query.js';
import type { Dialect } from './core/vendor/dialect.js';
import { addGraphqlRoutes } from './doors/graphql/graphql-routes.js';
import { authenticateRequest } from './doors/http/authenticate-request.js';
import { createHttp } from './doors/http/create-http.js';
import type { Gate } from './doors/http/gate.js';
import type { RequestContext } from './doors/http/request-context.js';
import { addAccountRoutes, addTwoFactorRoutes } from './doors/rest/account-routes.js';
import { addAssetRoutes } from './doors/rest/asset-routes.js';
import { addAuthRoutes } from './doors/rest/auth-routes.js';
import { addBatchRoutes } from './doors/rest/batch-routes.js';
import { addFileRoutes } from './doors/rest/file-routes.js';
import { addFlowRoutes } from './doors/rest/flow-routes.js';
import { itemsCollection } from './doors/rest/item-target.js';
import { addOwnRoutes } from './doors/rest/own-routes.js';
import { addPageRoutes } from './doors/rest/page-routes.js';
import { addReadRoutes } from './doors/rest/read-routes.js';
import { addSchemaRoutes } from './doors/rest/schema-routes.js';
import { addServerRoutes } from './doors/rest/server-routes.js';
import { addShareRoutes } from './doors/rest/share-routes.js';
import { addStructureRoutes } from './doors/rest/structure-routes.js';
import { addUtilityRoutes } from './doors/rest/utility-routes.js';
import { addVersionRoutes } from './doors/rest/version-routes.js';
import type { WriteDoor } from './doors/rest/write-door.js';
import { addItemWriteRoutes, addWriteRoutes } from './doors/rest/write-routes.js';
import { explainDatabaseError, isStale, isTemporary } from './explain-database-error.js';
import { startAuth } from './service/auth/start-auth.js';
import { filesCollection } from './service/files/files-context.js';
import { applyVersion } from './service/history/read-version.js';
import { openStructure } from './service/structure/structure.js';
import type { StructureRules } from './service/structure/structure-state.js';
import { settleUnfinished } from './service/structure/unfinished.js';
import { resources } from './service/system/resources.js';
import { systemDefinitions } from './service/system/system-definitions.js';
import type { Siblings } from './siblings.js';
import { version } from './version.js';

export interface Floors {
  readonly config: Config;
  readonly dialect: Dialect;
  readonly store: SchemaStore;
  readonly secret: string;
  readonly gate: Gate;
  readonly siblings: Siblings | null;
}

export async function composeApp(floors: Floors): Promise<FastifyInstance> {
  const { config, dialect, store, secret } = floors;
  const limits = queryLimits(config);
  const report =
    (text: string) =>
    (error: unknown): void =>
      app.log.error({ err: error }, text);
  const engine = composeEngine({ dialect, store, limits, secret, onEffectError: report('an effect of a write failed') });
  const identity = openIdentity(floors, engine, limits, () => app.log);
  const app = await openHttp(floors, identity);
  const server = composeDescribe({ config, dialect, store, engine });
  addServerRoutes(app, server);
  addPageRoutes(app);
  await addIdentity(app, identity, engine);
  const history = composeHistory({ config, dialect, store, engine, secret, report: report('history could not be swept') });
  app.addHook('onClose', async () => history.stop());
  const door: WriteDoor = {
    reader: engine.reader,
    writer: engine.writer,
    idempotency: history.idempotency,
    applyVersion: (work, collection, segment, key, item) => applyVersion(history.versions, work, collection, segment, key, item),
    limits,
    work: (request) => ({ caller: request.context.caller, connection: dialect.driver, signal: null, afterCommit: null }),
  };
  addAccountRoutes(app, { auth: identity.auth, idempotency: history.idempotency });
  addOwnRoutes(app, { ...door, authenticator: identity.door.authenticator });
  const rules = { dialect, definitions: systemDefinitions, systemSchema: config.systemSchema };
  void settleAtStart(rules, store, report('a change of structure that ended in the middle could not be settled'));
  const structure = openStructure(rules, store);
  const schemaDoor = { structure, idempotency: history.idempotency, origin: { tain: version, vendor: dialect.vendor } };
  addStructureRoutes(app, schemaDoor);
  addSchemaRoutes(app, schemaDoor);
  addVersionRoutes(app, door, history.versions);
  addItemRoutes(app, door);
  const files = await composeFiles({ config, store, engine, limits, report: report('a file could not be removed') });
  await addFileRoutes(app, { ...door, files });
  addAssetRoutes(app, { ...door, files });
  const utilities = composeUtilities({ config, store, engine, limits, files, door, report: report('an export failed') });
  await addUtilityRoutes(app, utilities);
  app.addHook('onClose', async () => {
    await Promise.all(utilities.exports.running);
  });
  const graphqlFloor = {
    identity: identity.door,
    structure: schemaDoor,
    versions: history.versions,
    files: { ...door, files },
    utilities,
    server,
    translateError: explainDatabaseError,
    isOutdated: isStale,
  };
  addGraphqlRoutes(app, async () => (await import('./compose-graphql.js')).composeGraphql(graphqlFloor));
  await app.ready();
  return app;
}

/** Nobody waits for it: another process may be in the middle of a long change. The next change tries again. */
async function settleAtStart(rules: StructureRules, store: SchemaStore, report: (error: unknown) => void): Promise<void> {
  try {
    if (await settleUnfinished(rules)) await store.refresh();
  } catch (error) {
    if (!isTemporary(error)) report(error);
  }
}

function openIdentity(
  { config, dialect, store, secret, siblings }: Floors,
  engine: Engine,
  queryLimits: QueryLimits,
  log: () => FastifyInstance['log'],
): Identity {
  return composeIdentity({
    config,
    dialect,
    store,
    secret,
    siblings,
    queryLimits,
    readObjects: (connection, collection, query) =>
      engine.reader.objects({ caller: serviceCaller(store.current()), connection, signal: null, afterCommit: null }, collection, query),
    createItems: (caller, collection, items) => engine.writer.transaction(caller, (work) => engine.writer.create(work, collection, items)),
    log: { info: (details, text) => log().info(details, text), error: (details, text) => log().error(details, text) },
  });
}

const openHttp = ({ config, store, gate }: Floors, identity: Identity): Promise<FastifyInstance> =>
  createHttp({
    logLevel: config.logLevel,
    trustProxy: config.trustProxy,
    corsOrigins: config.corsOrigin,
    bodyLimit: config.bodyLimit,
    bodyTimeoutMs: config.bodyTimeout,
    gate,
    authenticate: (request) => authenticateRequest(identity.authentication, request),
    translateError: explainDatabaseError,
    renew: (error, { context }) => renewCaller(store, context, error),
  });

async function addIdentity(app: FastifyInstance, identity: Identity, engine: Engine): Promise<void> {
  addAuthRoutes(app, identity.door);
  addTwoFactorRoutes(app, identity.door);
  addShareRoutes(app, identity.door);
  app.addHook('onClose', await startAuth(identity.auth, engine.hooks));
}

/** Every collection by one set of routes: the user's under /items, ours under their own paths. */
function addItemRoutes(app: FastifyInstance, door: WriteDoor): void {
  addReadRoutes(app, door, '/items/:collection', itemsCollection);
  addItemWriteRoutes(app, door, '/items/:collection', itemsCollection);
  for (const { path, collection, readOnly } of resources) {
    addReadRoutes(app, door, `/${path}`, () => collection);
    if (!readOnly && collection !== filesCollection) addWriteRoutes(app, door, `/${path}`, () => collection);
  }
  addBatchRoutes(app, door);
  addFlowRoutes(app);
}

/** What failed on an outdated structure is tried again on the present one. */
async function renewCaller(store: SchemaStore, context: RequestContext, error: unknown): Promise<boolean> {
  if (!isStale(error)) return false;
  const { view, accountability } = context.caller;
  context.caller = { accountability, view: makeView(await store.refresh(), view.grants) };
  return true;
}

const queryLimits = (config: Config): QueryLimits => ({
  ...defaultQueryLimits,
  depth: config.queryDepth,
  defaultLimit: config.queryLimitDefault,
  maxLimit: config.queryLimitMax ?? -1,
});
