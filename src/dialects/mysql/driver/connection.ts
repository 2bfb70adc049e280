// The pool of connections over the package mysql2, the only file that imports it. A session from the pool has its settings applied.

import mysql from 'mysql2';
import type { BoundValue } from '../../../core/sql/sql.js';
import { ConnectionPool, type Tables } from '../../../core/vendor/connection-pool.js';
import { DatabaseError } from '../../../core/vendor/database-error.js';
import type { Deadlines } from '../../../core/vendor/dialect.js';
import type { PoolState, Row, Statement } from '../../../core/vendor/driver.js';
import { type HostState, Hosts } from '../../../core/vendor/hosts.js';
import type { StopSignal } from '../../../core/vendor/stop-signal.js';
import { oldestServer, parseServer, type Server } from '../types/server.js';
import { toDatabaseError } from './errors.js';
import { cutConnection, exchangePackets, watchWarnings } from './packets.js';
import type { Reply, Session } from './session.js';
import { sessionSettings } from './session-settings.js';
import type { Endpoint } from './url.js';

const closeGraceMs = 2000;
const maxIdleMs = 60_000;
const rowsAhead = 500;

export interface Pool {
  acquire(tables: Tables, signal?: StopSignal): Promise<Session>;
  server(): Server;
  state(): PoolState;
  /** Drops the idle connections. Call it when one broke: the server has probably ended them all. */
  dropIdle(): void;
  /** Explains the error of a statement: a write that was refused by a read-only host can be run again on another one, if there are several. */
  follow(error: DatabaseError): DatabaseError;
  /** Rejects if the hosts that can be reached are not one database. */
  requireOneDatabase(): Promise<void>;
  close(): Promise<void>;
}

export interface PoolOptions {
  /** One entry per host; only host and port differ. */
  readonly endpoints: readonly Endpoint[];
  readonly size: number;
  readonly statementTimeoutMs: number;
  readonly deadlines: Deadlines;
  readonly readOnly: boolean;
}

export function openPool(options: PoolOptions): Pool {
  const { size, deadlines } = options;
  const all = new Set<Member>();
  let server = oldestServer;

  async function open(config: mysql.ConnectionOptions): Promise<Member> {
    const member = new Member(config);
    try {
      await member.connected;
      server = parseServer(handshakeVersion(member.connection));
      for (const text of sessionSettings(server, options)) await member.send({ kind: 'write', text, values: [] }, 0);
    } catch (error) {
      member.destroy();
      throw toDatabaseError(error);
    }
    return member;
  }

  const hosts = new Hosts<Member>(
    options.endpoints.map((endpoint) => {
      const config = connectionConfig(endpoint, deadlines);
      return { name: `${endpoint.host}:${endpoint.port}`, open: () => open(config) };
    }),
    { inspect: inspectHost, close: (member) => member.end(), readOnly: options.readOnly, onMove: () => pool.dropIdle() },
  );
  const follows = hosts.several && !options.readOnly;

  async function openForPool(): Promise<Member> {
    const member = await hosts.open();
    all.add(member);
    const forget = (): void => {
      all.delete(member);
      pool.drop(member);
    };
    member.connection.on('error', forget).on('end', forget);
    return member;
  }

  const pool = new ConnectionPool<Member>({
    max: size,
    maxIdle: size,
    maxIdleMs,
    maxWaitMs: deadlines.poolMs,
    open: openForPool,
    close: async (member) => {
      all.delete(member);
      member.end();
    },
    isStuck: () => false,
    ...(hosts.several ? { keeps: (member: Member) => hosts.isCurrent(member) } : {}),
    silence: {
      silenceMs: deadlines.silenceMs,
      waitingSince: (member) => member.waitingSince,
      probe: async (waiting) => (await hosts.openBeside(waiting)).end(),
    },
  });

  const lease = (member: Member): Session =>
    openSession(member, (what) => kill(member.config, what, member.connection.threadId), {
      give: () => pool.give(member),
      drop: () => pool.drop(member),
    });

  return {
    acquire: async (tables, signal) => lease(await pool.take(tables, signal)),
    server: () => server,
    state: () => pool.state(),
    dropIdle: () => pool.dropIdle(),
    follow(error) {
      if (!follows || error.kind !== 'read-only') return error;
      hosts.suspect();
      pool.dropIdle();
      return new DatabaseError('retry', error.cause);
    },
    requireOneDatabase: () => hosts.requireOneDatabase(),
    close: () => closePool(pool, all),
  };
}

const connectionConfig = (endpoint: Endpoint, { silenceMs }: Deadlines): mysql.ConnectionOptions => ({
  host: endpoint.host,
  port: endpoint.port,
  user: endpoint.user,
  password: endpoint.password,
  database: endpoint.database,
  ...(endpoint.socketPath === null ? {} : { socketPath: endpoint.socketPath }),
  ...(endpoint.tls === 'off' ? {} : { ssl: { rejectUnauthorized: endpoint.tls === 'verify', verifyIdentity: endpoint.tls === 'verify' } }),
  charset: 'UTF8MB4_BIN',
  // Shorter than the wait for a connection, so that the waiting caller gets the reason of the failure.
  connectTimeout: Math.ceil(silenceMs * 0.75),
  // FOUND_ROWS: an UPDATE reports the rows it matched, including those it did not change. LOCAL_FILES: the server must not request local files.
  flags: ['FOUND_ROWS', '-LOCAL_FILES'],
  rowsAsArray: true,
  jsonStrings: true,
  supportBigNumbers: true,
  bigNumberStrings: true,
  dateStrings: true,
  // The server allows 16,382 prepared statements for all connections together; mysql2 would keep 16,000 per connection.
  maxPreparedStatements: 500,
});

/** A connection outside of the pool, without the session settings, for work that depends on the state of one session. */
export interface OwnConnection {
  rows(text: string): Promise<readonly Row[]>;
  /**
   * Sends bytes of the protocol and passes everything that the server sends afterwards to the listener. The connection cannot run
   * statements any more.
   */
  exchange(request: Buffer, onPacket: (packet: Buffer) => void): void;
  onLost(listener: (error: Error) => void): void;
  end(): void;
}

export async function openOwnConnection(endpoint: Endpoint, deadlines: Deadlines): Promise<OwnConnection> {
  const member = new Member(connectionConfig(endpoint, deadlines));
  await member.connected;
  const { connection } = member;
  return {
    rows: async (text) => (await member.send({ kind: 'write', text, values: [] }, deadlines.silenceMs)).rows,
    exchange: (request, onPacket) => exchangePackets(connection, request, onPacket),
    onLost(listener) {
      connection.on('error', listener).on('end', () => listener(new Error('The server has closed the connection.')));
    },
    end: () => member.destroy(),
  };
}

/** `read_only` is on at a replica and after a switchover. In a Galera cluster, or a group with several primaries, every node accepts writes. */
async function inspectHost(member: Member): Promise<HostState> {
  const names = ['read_only', 'wsrep_on', 'group_replication_single_primary_mode'];
  const text = `SHOW GLOBAL VARIABLES WHERE Variable_name IN (${names.map((name) => `'${name}'`).join(', ')})`;
  try {
    // A node of a cluster that is joining or has lost its quorum answers SHOW, and SELECT without a table, but refuses DO.
    await member.send({ kind: 'read', text: 'DO 1', values: [] }, 0);
    const values = new Map((await member.send({ kind: 'read', text, values: [] }, 0)).rows.map(([name, value]) => [name, value]));
    const shared = values.get('wsrep_on') === 'ON' || values.get('group_replication_single_primary_mode') === 'OFF';
    return { writable: values.get('read_only') === 'OFF', shared, identity: null };
  } catch (error) {
    throw toDatabaseError(error);
  }
}

function handshakeVersion(connection: object): string {
  const packet: unknown = '_handshakePacket' in connection ? connection._handshakePacket : null;
  if (typeof packet !== 'object' || packet === null || !('serverVersion' in packet))
    throw new Error('the driver no longer reports the version of the server');
  return String(packet.serverVersion);
}

/** One connection of the pool, with the statements in progress on it. */
class Member {
  readonly config: mysql.ConnectionOptions;
  readonly connection: mysql.Connection;
  readonly connected: Promise<void>;
  readonly warnings: () => number;
  readonly #pending = new Set<(error: Error) => void>();
  /** When the statement that awaits an answer was sent; null if there is none. */
  waitingSince: number | null = null;

  constructor(config: mysql.ConnectionOptions) {
    const connection = mysql.createConnection(config);
    this.config = config;
    this.connection = connection;
    // Errors also reject the statements in progress. Without a listener they would be uncaught.
    connection.on('error', () => undefined);
    this.connected = new Promise((resolve, reject) => {
      connection.connect((error) => (error === null ? resolve() : reject(error)));
    });
    this.warnings = watchWarnings(connection);
  }

  send(statement: Statement, timeoutMs: number): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#pending.add(reject);
      this.waitingSince = performance.now();
      start(this.connection, statement, timeoutMs, (error, result) => {
        this.#pending.delete(reject);
        this.waitingSince = null;
        if (error) reject(error);
        else resolve(toReply(result, this.warnings()));
      });
    });
  }

  /** Ends the connection in an orderly way; destroys it if it is busy or the server does not react. */
  end(): void {
    if (this.#pending.size > 0 || this.waitingSince !== null) {
      this.destroy('ETIMEDOUT');
      return;
    }
    const cut = setTimeout(() => cutConnection(this.connection), closeGraceMs).unref();
    this.connection.end(() => clearTimeout(cut));
  }

  /** `code`: the error code for the statements in progress. */
  destroy(code = 'PROTOCOL_CONNECTION_LOST'): void {
    cutConnection(this.connection);
    // mysql2 does not call the callbacks of a destroyed connection.
    for (const reject of this.#pending) reject(Object.assign(new Error('The connection was closed.'), { code }));
    this.#pending.clear();
  }
}

interface Lease {
  readonly give: () => void;
  readonly drop: () => void;
}

function openSession(member: Member, stop: (what: Stoppable) => Promise<void>, lease: Lease): Session {
  let killed = false;
  let open = true;

  function end(destroyed: boolean): void {
    if (!open) return;
    open = false;
    if (destroyed) {
      member.destroy();
      lease.drop();
    } else lease.give();
  }

  return {
    send: (statement, timeoutMs) => member.send(statement, timeoutMs),
    read: (statement, ahead = rowsAhead) => start(member.connection, statement, 0).stream({ highWaterMark: ahead }),
    wait(waiting) {
      member.waitingSince = waiting ? performance.now() : null;
    },
    warnings: member.warnings,
    async kill() {
      killed = true;
      await stop('QUERY').catch(() => member.destroy());
    },
    async abandon() {
      killed = true;
      await stop('CONNECTION').catch(() => undefined);
      member.destroy();
    },
    release: () => end(killed),
    destroy: () => end(true),
  };
}

type Callback = (error: mysql.QueryError | null, result: unknown) => void;

function start(connection: mysql.Connection, statement: Statement, timeoutMs: number, callback?: Callback): mysql.Query {
  const values = statement.values.map(bindValue);
  const limit = timeoutMs === 0 ? {} : { timeout: timeoutMs };
  if (statement.prepare !== true || values.length === 0) return connection.query({ sql: statement.text, values, ...limit }, callback);
  return connection.execute({ sql: statement.text, values: values.map(bindTyped), ...limit }, callback);
}

type DriverValue = string | number | bigint | null | Buffer;

/** Strings are bound as text, so exact decimals are strings. A list is bound as JSON text, which the statement reads with JSON_TABLE. */
function bindValue(value: BoundValue): DriverValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (typeof value === 'object' && value !== null)
    return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
  return value;
}

/** Whether the value fits an eight-byte integer parameter. A prepared statement would otherwise bind a number as a double. */
const isWireInteger = (value: DriverValue): value is number | bigint =>
  typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);

const bindTyped = (value: DriverValue) => (isWireInteger(value) ? mysql.TypedParameter.LONGLONG(value) : value);

function toReply(result: unknown, warnings: number): Reply {
  if (!Array.isArray(result)) return { rows: [], sets: [], affected: affectedRows(result), warnings: 0 };
  // The result of a compound statement ends with an object that is not a row.
  const isCompound = result.length > 0 && !Array.isArray(result.at(-1));
  if (isCompound) return { rows: [], sets: result.slice(0, -1) as readonly (readonly Row[])[], affected: 0, warnings };
  return { rows: result as readonly Row[], sets: [], affected: result.length, warnings };
}

const affectedRows = (result: unknown): number =>
  typeof result === 'object' && result !== null && 'affectedRows' in result ? Number(result.affectedRows) : 0;

/** A query is stopped if one runs at that moment; a connection in any case. */
type Stoppable = 'QUERY' | 'CONNECTION';

/** Over a new connection: the one to stop is busy, and so may be the whole pool. */
function kill(config: mysql.ConnectionOptions, what: Stoppable, id: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const side = mysql.createConnection(config);
    const end = (error: Error | null) => {
      side.destroy();
      if (error === null) resolve();
      else reject(error);
    };
    side.on('error', end);
    side.query(`KILL ${what} ${id}`, (error) => end(error));
  });
}

/** Destroys the connections that are still busy after the grace period. */
async function closePool(pool: ConnectionPool<Member>, all: ReadonlySet<Member>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const graceEnds = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, closeGraceMs);
  });
  await Promise.race([pool.close(), graceEnds]);
  clearTimeout(timer);
  for (const member of all) member.destroy();
}
