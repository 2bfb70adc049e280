// Puts realtime together: the groups over the feed of changes, and the doors to them.

import { createHmac } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.js';
import type { Caller } from '../core/access/view.js';
import type { SchemaStore } from '../core/engine/store/schema-store.js';
import type { QueryLimits } from '../core/query/query.js';
import type { LogRefusal } from '../core/vendor/change-log.js';
import type { Dialect } from '../core/vendor/dialect.js';
import type { GraphqlAnswers } from '../doors/graphql/graphql-routes.js';
import { explainFailure } from '../doors/http/answer/answer-error.js';
import { withSocketSignal } from '../doors/http/request/client-signal.js';
import { readAfterHeader, readNow } from '../doors/http/request/read-after.js';
import { answerEvents, type EventStreamDeps } from '../doors/realtime/event-stream.js';
import { GraphqlProtocol, type GraphqlSocketDeps, graphqlProtocol } from '../doors/realtime/graphql-protocol.js';
import type { IdentityDeps, Identity as SocketIdentity } from '../doors/realtime/identity.js';
import { OpenConnections } from '../doors/realtime/open-connections.js';
import { SendTurns } from '../doors/realtime/send-turns.js';
import { type SocketDeps, SocketProtocol } from '../doors/realtime/socket-protocol.js';
import { SocketReads } from '../doors/realtime/socket-reads.js';
import { addUpgradeRoute, type UpgradeDeps } from '../doors/realtime/upgrade-routes.js';
import type { ReadRouteDeps } from '../doors/rest/read-routes.js';
import type { HostCaller } from '../service/auth/auth-context.js';
import type { Health } from '../service/describe/health.js';
import type { ChangeFeed } from '../service/events/change-feed.js';
import { ChangeRelay } from '../service/events/change-relay.js';
import { Groups } from '../service/events/groups.js';
import { LogSource } from '../service/events/log-source.js';
import { PresenceBoard } from '../service/events/presence-board.js';
import { PresenceReadings } from '../service/events/presence-readings.js';
import { openRedisChannel } from '../service/events/redis-channel.js';
import { Turns } from '../service/events/turns.js';
import { watchContent } from '../service/events/watch-content.js';
import { createSeal } from '../service/secrets/seal.js';
import type { Identity } from './auth.js';
import type { ComposeDescribeDeps } from './describe.js';
import type { Engine } from './engine.js';
import { explainDatabaseError } from './explain-database-error.js';
import { plainWork } from './operations.js';
import { renewCaller } from './renew-caller.js';
import { openSiblingChannel, type Siblings } from './siblings.js';
import { asSocketCaller } from './socket-callers.js';

export interface ComposeRealtimeDeps {
  readonly app: FastifyInstance;
  readonly config: Config;
  readonly dialect: Dialect;
  readonly store: SchemaStore;
  readonly secret: string;
  readonly engine: Engine;
  readonly limits: QueryLimits;
  readonly identity: Identity;
  readonly feed: ChangeFeed;
  readonly siblings: Siblings | null;
  /** Reads what other processes have changed of structure, rights and sessions. */
  readonly checkEpochs: () => Promise<void>;
  /** Set if an embedding application names callers. */
  readonly hostCaller: HostCaller | null;
}

export interface Realtime {
  /** Answers a list as server-sent events. */
  readonly follow: ReadRouteDeps['follow'];
  /** How many are connected, and how writes of other programs are noticed. */
  readonly checks: ComposeDescribeDeps['checks'];
  /** Serves WebSockets. */
  addSockets(loadGraphql: () => Promise<GraphqlAnswers>): void;
  /** Exchanges changes with the other processes of the service from now on. */
  connect(): void;
  /** Announces to the other processes that structure, rights or sessions have changed. */
  announceEpochs(): void;
  /** Ends all connections at once; call before the server waits for its sockets to close. Resolves when nothing is open any more. */
  close(): Promise<void>;
}

/** How often the service checks for writes of other programs while there are subscribers. */
const watchEveryMs = 500;
const logEvents = 1_000;
/** The bound for all groups together, in lists of the largest remembered length. */
const rememberedLists = 20;
/** The same for the groups of one user. */
const rememberedListsOfUser = 5;
const maxLists = 5_000;
/** The bound for the events of all groups together, in multiples of what one group may keep. */
const keptQueues = 64;

export function openRealtime(deps: ComposeRealtimeDeps): Realtime {
  const { app, config, store } = deps;
  const turns = new Turns(readingsOf(deps.dialect.driver.pool().size));
  const groups = openGroups(deps, turns, app.log);
  const board = new PresenceBoard();
  const reads = new SocketReads();
  const connections = new OpenConnections({
    connections: config.realtimeConnections,
    userConnections: config.realtimeUserConnections,
    userSubscriptions: config.realtimeUserSubscriptions,
    requests: config.rateLimit,
    waiting: { user: config.realtimeUserWaiting, together: config.realtimeWaiting },
  });
  const socketIdentity = identityDeps(deps);
  let relay: ChangeRelay | null = null;
  let log: LogSource | null = null;
  const stopWatching = config.realtimeWatch ? startWatching(deps) : () => undefined;
  const unsubscribe = store.subscribe(() => groups.forgetOutdated(({ caller }) => caller.view.schema === store.current()));
  const streams: EventStreamDeps = {
    groups,
    store,
    connections,
    reads,
    identity: socketIdentity,
    maxWaiting: config.realtimeQueue,
    heartbeatMs: config.websocketsHeartbeat,
    explain: (error) => explainFailure(error, app.log, explainDatabaseError),
  };
  return {
    follow: (request, reply, collection, parsed) => answerEvents(streams, request, reply, collection, parsed),
    checks: () => realtimeChecks(deps, groups, connections, { relay, log }),
    addSockets: (loadGraphql) => addSockets(deps, { groups, board, turns, reads, connections, socketIdentity, loadGraphql }),
    connect() {
      relay = openRelay(deps, board);
      log = config.realtimeWatch ? openLog(deps) : null;
    },
    announceEpochs: () => relay?.announceEpochs(),
    async close() {
      stopWatching();
      unsubscribe();
      connections.close();
      groups.close();
      board.close();
      await Promise.all([relay?.close(), log?.close()]);
    },
  };
}

interface Sources {
  readonly relay: ChangeRelay | null;
  readonly log: LogSource | null;
}

function realtimeChecks(
  { config, dialect }: ComposeRealtimeDeps,
  groups: Groups,
  connections: OpenConnections,
  { relay, log }: Sources,
): Health['checks'] {
  const { groups: lists, followers, remembered, delayMs } = groups.state;
  const watched = config.realtimeWatch ? (log?.source ?? dialect.contentToken.source) : 'nothing (REALTIME_WATCH is off)';
  const refusal = log?.refusal ?? null;
  const output = [
    `${followers} subscriptions to ${lists} different lists, ${remembered} items remembered`,
    `writes of other programs are seen by ${watched}`,
    ...(relay === null ? [] : [`writes of other processes of the service by ${relay.source}`]),
    ...(refusal === null ? [] : [[`${dialect.changeLog?.source} is not read: ${refusal.reason}`, ...refusal.cure].join('; ')]),
  ].join('. ');
  const check = (observedValue: number): Health['checks'][string][number] => ({ componentType: 'system', status: 'ok', observedValue });
  return {
    'realtime:connections': [{ ...check(connections.size), output }],
    'realtime:subscriptions': [check(followers)],
    'realtime:lists': [check(lists)],
    'realtime:items': [check(remembered)],
    'realtime:delay': [{ ...check(Math.ceil(delayMs)), observedUnit: 'ms' }],
  };
}

function openLog({ app, dialect: { changeLog, contentToken }, feed, store }: ComposeRealtimeDeps): LogSource | null {
  if (changeLog === null) return null;
  const onState = (refusal: LogRefusal | null): void => {
    if (refusal === null) app.log.info(`writes of other programs are seen by ${changeLog.source}`);
    else app.log.info({ ...refusal }, `writes of other programs are seen by ${contentToken.source}: ${changeLog.source} cannot be read`);
  };
  return new LogSource({ feed, log: changeLog, schema: () => store.current(), onState });
}

/** Opens one channel between processes: Redis if it is configured, else the database if it carries messages, else the parent process. */
function openRelay(
  { config, dialect, siblings, feed, secret, checkEpochs }: ComposeRealtimeDeps,
  board: PresenceBoard,
): ChangeRelay | null {
  const name = `tain_${createHmac('sha256', secret).update('realtime channel').digest('hex').slice(0, 24)}`;
  const { redisUrl } = config;
  const { openChannel } = dialect;
  const deps = { feed, board, checkEpochs };
  if (redisUrl !== null) return new ChangeRelay(deps, (events) => openRedisChannel(redisUrl, name, events));
  if (openChannel !== null) return new ChangeRelay(deps, (events) => openChannel(name, events));
  return siblings === null ? null : new ChangeRelay(deps, (events) => openSiblingChannel(siblings, events));
}

const startWatching = ({ app, feed, dialect: { contentToken, driver } }: ComposeRealtimeDeps): (() => void) =>
  watchContent({
    feed,
    token: contentToken,
    driver,
    everyMs: watchEveryMs,
    onOutage: (error) => app.log.warn({ err: error }, 'what other programs write cannot be seen: the check of the database fails'),
  });

/** Leaves about half of the connections to requests. */
const readingsOf = (connections: number): number => Math.min(connections, Math.max(2, Math.floor(connections / 2)));

const openPresenceReadings = ({ app, engine, dialect, limits }: ComposeRealtimeDeps, { board, turns }: SocketParts): PresenceReadings =>
  new PresenceReadings({
    board,
    turns,
    limits,
    reader: engine.reader,
    work: (caller) => plainWork(caller, dialect.driver),
    report: (error) => app.log.warn({ err: error }, 'who else has an item open could not be read'),
  });

const openGroups = ({ config, engine, dialect, feed, secret }: ComposeRealtimeDeps, turns: Turns, log: FastifyInstance['log']): Groups =>
  new Groups({
    reader: engine.reader,
    ownReader: engine.ownReader,
    driver: dialect.driver,
    seal: createSeal(secret, 'realtime cursor'),
    feed,
    log: { events: logEvents, each: config.realtimeQueue, together: config.realtimeQueue * keptQueues },
    items: {
      each: config.realtimeItems,
      user: config.realtimeItems * rememberedListsOfUser,
      together: config.realtimeItems * rememberedLists,
    },
    lists: { user: Math.min(maxLists, config.realtimeUserLists), together: maxLists },
    turns,
    keepMs: config.realtimeKeep,
    isLogged: (collection) => feed.isLogged(collection),
    report: (error) => log.warn({ err: error }, 'a change could not be sent to subscribers; it is tried again'),
  });

/** How many callers of open connections are looked up at a time; each takes up to three connections to the database. */
const lookUpsAtOnce = 2;

const identityDeps = ({ identity: { auth, authentication } }: ComposeRealtimeDeps): IdentityDeps => ({
  auth,
  authenticator: authentication.authenticator,
  turns: new Turns(lookUpsAtOnce),
});

interface SocketParts {
  readonly groups: Groups;
  readonly board: PresenceBoard;
  readonly turns: Turns;
  readonly reads: SocketReads;
  readonly connections: OpenConnections;
  readonly socketIdentity: IdentityDeps;
  readonly loadGraphql: () => Promise<GraphqlAnswers>;
}

function addSockets(deps: ComposeRealtimeDeps, parts: SocketParts): void {
  const { groups, board, reads, connections, socketIdentity, loadGraphql } = parts;
  const { app, config, dialect, store, engine, identity, limits } = deps;
  const { log } = app;
  const upgrade: UpgradeDeps = {
    identity: socketIdentity,
    connections,
    allowedOrigins: new Set([...identity.authentication.allowedOrigins].filter((origin) => origin !== '*')),
    mode: config.websocketsAuth,
    maxMessage: config.bodyLimit,
    reads,
  };
  const shared = {
    groups,
    store,
    log,
    sends: new SendTurns(),
    limits: {
      subscriptions: config.realtimeSubscriptions,
      waiting: config.realtimeQueue,
      authTimeoutMs: config.websocketsAuthTimeout,
    },
    limiter: identity.auth.limiter,
    heartbeatMs: config.websocketsHeartbeat,
    mode: config.websocketsAuth,
    renewing: renewing(store),
    explain: (error: unknown) => explainFailure(error, log, explainDatabaseError),
  };
  const socket: SocketDeps = {
    ...shared,
    items: {
      reader: engine.reader,
      writer: engine.writer,
      limits,
      work: (caller, signal) => ({ ...plainWork(caller, dialect.driver), signal }),
    },
    board,
    readings: openPresenceReadings(deps, parts),
  };
  const graphql: GraphqlSocketDeps = {
    ...shared,
    prepare: async (caller, payload) => (await loadGraphql()).prepareEvents(caller, payload),
    run: (who, payload, signal) => runOverHttp(deps, who, payload, signal),
  };
  addUpgradeRoute(app, upgrade, {
    path: '/websocket',
    protocol: null,
    open: (accepted) => {
      new SocketProtocol(socket, accepted);
    },
  });
  addUpgradeRoute(app, upgrade, {
    path: '/graphql',
    protocol: graphqlProtocol,
    open: (accepted) => {
      new GraphqlProtocol(graphql, accepted);
    },
  });
}

/** Queries and mutations of a WebSocket are requests like any other, of the socket's caller. */
async function runOverHttp(
  { app, hostCaller }: ComposeRealtimeDeps,
  { token, named, client }: SocketIdentity,
  payload: unknown,
  signal: AbortSignal,
): Promise<string> {
  const headers = {
    'content-type': 'application/json',
    // A socket carries no read-after-write tokens, so its queries read from the primary.
    [readAfterHeader]: readNow,
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(client.userAgent === null ? {} : { 'user-agent': client.userAgent }),
  };
  const request = { method: 'POST', url: '/graphql', headers, remoteAddress: client.ip, payload: JSON.stringify(payload) } as const;
  const ask = (): Promise<string> =>
    withSocketSignal(signal, async (named) => (await app.inject({ ...request, headers: { ...headers, ...named } })).payload);
  return hostCaller === null ? ask() : asSocketCaller(named, ask);
}

const renewing =
  (store: SchemaStore) =>
  async <T>(caller: Caller, act: (caller: Caller) => Promise<T>): Promise<T> => {
    try {
      return await act(caller);
    } catch (error) {
      const renewed = await renewCaller(store, error, caller);
      if (renewed.caller === null) throw renewed.failure;
      return act(renewed.caller);
    }
  };
