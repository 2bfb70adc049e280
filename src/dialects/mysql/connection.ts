// The pool of connections: the only file that knows the driver package. Sessions are handed out with their settings made.

import mysql from 'mysql2';
import type { PoolState, Row, Statement } from '../../core/vendor/driver.js';
import { bindValue, type DriverValue, isWireInteger } from './bind-value.js';
import { oldestServer, parseServer, type Server } from './server.js';
import type { Reply, Session } from './session.js';
import { sessionSettings } from './session-settings.js';
import type { Endpoint } from './url.js';
import { watchWarnings } from './warning-count.js';

const connectTimeoutMs = 2000;
const closeGraceMs = 2000;
const rowsAhead = 500;

export interface Pool {
  acquire(): Promise<Session>;
  server(): Server;
  state(): PoolState;
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly endpoint: Endpoint;
  readonly size: number;
  readonly statementTimeoutMs: number;
}

export function openPool(options: PoolOptions): Pool {
  const config = connectionConfig(options.endpoint);
  const pool = mysql.createPool({ ...config, connectionLimit: options.size, maxIdle: options.size });
  /** Connections whose settings are made, with their count of warnings. */
  const known = new Map<mysql.PoolConnection, () => number>();
  let server = oldestServer;
  let busy = 0;
  let waiting = 0;

  const lease = (connection: mysql.PoolConnection, warnings: () => number): Session =>
    openSession(connection, {
      warnings,
      stop: () => killQuery(config, connection.threadId),
      end: () => {
        busy -= 1;
      },
    });

  async function prepare(connection: mysql.PoolConnection): Promise<Session> {
    const forget = () => known.delete(connection);
    connection.on('error', forget).on('end', forget);
    server = parseServer(handshakeVersion(connection));
    const session = lease(connection, watchWarnings(connection));
    for (const text of sessionSettings(server, options.statementTimeoutMs)) await session.send({ text, values: [] }, 0);
    known.set(connection, session.warnings);
    return session;
  }

  async function acquire(): Promise<Session> {
    waiting += 1;
    const connection = await takeConnection(pool).finally(() => {
      waiting -= 1;
    });
    busy += 1;
    const warnings = known.get(connection);
    if (warnings !== undefined) return lease(connection, warnings);
    try {
      return await prepare(connection);
    } catch (error) {
      busy -= 1;
      connection.destroy();
      throw error;
    }
  }

  return {
    acquire,
    server: () => server,
    state: () => ({ size: Math.max(known.size, busy), idle: Math.max(0, known.size - busy), waiting }),
    close: () => closePool(pool, known),
  };
}

const connectionConfig = (endpoint: Endpoint): mysql.ConnectionOptions => ({
  host: endpoint.host,
  port: endpoint.port,
  user: endpoint.user,
  password: endpoint.password,
  database: endpoint.database,
  ...(endpoint.socketPath === null ? {} : { socketPath: endpoint.socketPath }),
  ...(endpoint.tls === 'off' ? {} : { ssl: { rejectUnauthorized: endpoint.tls === 'verify', verifyIdentity: endpoint.tls === 'verify' } }),
  charset: 'UTF8MB4_BIN',
  connectTimeout: connectTimeoutMs,
  // FOUND_ROWS: an update tells the rows it matched, also those it left as they were. The server may never ask for local files.
  flags: ['FOUND_ROWS', '-LOCAL_FILES'],
  rowsAsArray: true,
  jsonStrings: true,
  supportBigNumbers: true,
  bigNumberStrings: true,
  dateStrings: true,
  // The server allows 16,382 prepared statements for all connections together; the driver would keep 16,000 for each.
  maxPreparedStatements: 500,
});

const takeConnection = (pool: mysql.Pool): Promise<mysql.PoolConnection> =>
  new Promise((resolve, reject) => {
    pool.getConnection((error, connection) => (error === null ? resolve(connection) : reject(error)));
  });

function handshakeVersion(connection: object): string {
  const packet: unknown = '_handshakePacket' in connection ? connection._handshakePacket : null;
  if (typeof packet !== 'object' || packet === null || !('serverVersion' in packet))
    throw new Error('the driver no longer tells the version of the server');
  return String(packet.serverVersion);
}

interface Lease {
  readonly warnings: () => number;
  readonly stop: () => Promise<void>;
  readonly end: () => void;
}

function openSession(connection: mysql.PoolConnection, lease: Lease): Session {
  const pending = new Set<(error: Error) => void>();
  let killed = false;
  let open = true;

  function destroy(): void {
    connection.destroy();
    // The driver leaves the callbacks of a destroyed connection unanswered.
    for (const reject of pending) reject(Object.assign(new Error('The connection was closed.'), { code: 'PROTOCOL_CONNECTION_LOST' }));
    pending.clear();
  }

  function end(destroyed: boolean): void {
    if (!open) return;
    open = false;
    lease.end();
    if (destroyed) destroy();
    else connection.release();
  }

  return {
    send: (statement, timeoutMs) =>
      new Promise<Reply>((resolve, reject) => {
        pending.add(reject);
        start(connection, statement, timeoutMs, (error, result) => {
          pending.delete(reject);
          if (error) reject(error);
          else resolve(toReply(result, lease.warnings()));
        });
      }),
    read: (statement) => start(connection, statement, 0).stream({ highWaterMark: rowsAhead }),
    warnings: lease.warnings,
    async kill() {
      killed = true;
      await lease.stop().catch(destroy);
    },
    release: () => end(killed),
    destroy: () => end(true),
  };
}

type Callback = (error: mysql.QueryError | null, result: unknown) => void;

function start(connection: mysql.PoolConnection, statement: Statement, timeoutMs: number, callback?: Callback): mysql.Query {
  const values = statement.values.map(bindValue);
  const limit = timeoutMs === 0 ? {} : { timeout: timeoutMs };
  if (statement.prepare !== true || values.length === 0) return connection.query({ sql: statement.text, values, ...limit }, callback);
  return connection.execute({ sql: statement.text, values: values.map(bindTyped), ...limit }, callback);
}

const bindTyped = (value: DriverValue) => (isWireInteger(value) ? mysql.TypedParameter.LONGLONG(value) : value);

function toReply(result: unknown, warnings: number): Reply {
  if (!Array.isArray(result)) return { rows: [], sets: [], affected: affectedRows(result), warnings: 0 };
  // What ends several sets is no row.
  const isCompound = result.length > 0 && !Array.isArray(result.at(-1));
  if (isCompound) return { rows: [], sets: result.slice(0, -1) as readonly (readonly Row[])[], affected: 0, warnings };
  return { rows: result as readonly Row[], sets: [], affected: result.length, warnings };
}

const affectedRows = (result: unknown): number =>
  typeof result === 'object' && result !== null && 'affectedRows' in result ? Number(result.affectedRows) : 0;

/** KILL QUERY needs a connection of its own: the one to be stopped is busy, and so may be the whole pool. */
function killQuery(config: mysql.ConnectionOptions, id: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const side = mysql.createConnection(config);
    const end = (error: Error | null) => {
      side.destroy();
      if (error === null) resolve();
      else reject(error);
    };
    side.on('error', end);
    side.query(`KILL QUERY ${id}`, (error) => end(error));
  });
}

async function closePool(pool: mysql.Pool, known: ReadonlyMap<mysql.PoolConnection, unknown>): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    pool.end(() => resolve());
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, closeGraceMs);
  });
  await Promise.race([ended, late]);
  clearTimeout(timer);
  for (const connection of known.keys()) connection.destroy();
}
