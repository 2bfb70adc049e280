// The Driver port of PostgreSQL: a pool of sessions over the package `pg`. The only file that imports the package.

import pg from 'pg';
import { ConnectionPool, firstTableOf, noTables, structureTables } from '../../../core/vendor/connection-pool.js';
import { DatabaseError, mayRetry } from '../../../core/vendor/database-error.js';
import { type DialectOptions, defaultDeadlines } from '../../../core/vendor/dialect.js';
import type { Connection, Driver, PoolState, Row, Statement, TransactionOptions } from '../../../core/vendor/driver.js';
import { type HostState, Hosts, nameOfHost, splitHosts } from '../../../core/vendor/hosts.js';
import type { StopSignal } from '../../../core/vendor/stop-signal.js';
import type { SnapshotReading } from '../../../core/vendor/transfer.js';
import { isConnectionLost, isPreparedNameLost, toDatabaseError } from './errors.js';
import { askForId, OwnTransactions } from './own-transactions.js';
import { openerFor } from './pooler.js';
import { Session } from './session.js';
import { type SessionSettings, sessionSettings } from './session-settings.js';
import { readSnapshot } from './snapshot.js';
import type { StatementResult } from './statement-exchange.js';
import { runTransaction, type TakeSession, type TransactionEvents } from './transaction.js';
import type { OwnClient, WireClient } from './wire.js';

const maxIdleMs = 60_000;
const silenceMs = 5_000;
const cancelTimeoutMs = 1_500;
const repeatWithinMs = 1_000;

export interface PostgresDriver extends Driver {
  /** Rejects if the hosts of the URL that can be reached are not one database. */
  requireOneDatabase(): Promise<void>;
  /** What of the snapshots of the server is its own work. */
  readonly own: OwnTransactions;
  snapshot<T>(work: (reading: SnapshotReading) => Promise<T>): Promise<T>;
}

export function openDriver(options: DialectOptions): PostgresDriver {
  return new PooledDriver(options);
}

/**
 * Opens a connection outside of the pool to the host that accepts writes, for work that depends on the state of one session. Rejects if no
 * host can be reached, or if a pooler would share the session.
 */
export async function openClient(options: DialectOptions): Promise<OwnClient> {
  let failure: unknown = null;
  for (const url of splitHosts(options.url)) {
    const client = new pg.Client(sessionSettings({ ...options, url }, false).client);
    // Without a listener, an error of the connection would end the process.
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid, pg_is_in_recovery() AS standby');
      const isOwn = rows[0]?.pid === (client as unknown as WireClient).processID;
      if (isOwn && rows[0]?.standby === false) return client;
      failure = new Error(isOwn ? 'the server is a standby' : 'a pooler hands connections to others');
    } catch (error) {
      failure = error;
    }
    await client.end().catch(() => undefined);
  }
  throw failure;
}

class PooledDriver implements PostgresDriver {
  readonly #pool: ConnectionPool<Session>;
  readonly #hosts: Hosts<Session>;
  readonly own = new OwnTransactions();
  #sent = 0;

  constructor(options: DialectOptions) {
    const { poolMs, silenceMs: silentMs } = options.deadlines ?? defaultDeadlines;
    this.#hosts = this.#findHosts(options);
    this.#pool = new ConnectionPool<Session>({
      max: options.poolSize,
      maxIdle: options.poolSize,
      maxIdleMs,
      maxWaitMs: poolMs,
      open: () => this.#hosts.open(),
      close: (session) => session.client.end(),
      ...(this.#hosts.several ? { keeps: (session: Session) => this.#hosts.isCurrent(session) } : {}),
      isStuck: (session, now) => session.isStuckSince(now - options.statementTimeoutMs - silenceMs),
      silence: {
        silenceMs: silentMs,
        waitingSince: (session) => session.waitingSince(),
        probe: async (waiting) => (await this.#hosts.openBeside(waiting)).client.end(),
      },
    });
  }

  async rows(statement: Statement, signal?: StopSignal): Promise<readonly Row[]> {
    return (await this.#execute(statement, signal)).rows;
  }

  async run(statement: Statement, signal?: StopSignal): Promise<number> {
    return (await this.#execute(statement, signal)).count;
  }

  async *stream(statement: Statement, signal?: StopSignal): AsyncGenerator<readonly Row[], void, undefined> {
    refuseAborted(signal);
    const session = await this.#pool.take(statement.tables ?? noTables, signal);
    this.#sent += 1;
    try {
      for await (const batch of session.stream(statement, signal)) {
        yield batch;
        refuseAborted(signal);
      }
    } catch (error) {
      throw this.#judge(session, error);
    } finally {
      this.#pool.give(session);
    }
  }

  async transaction<T>(work: (connection: Connection) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const structure = options.structure === true;
    let taken: Session | null = null;
    const take: TakeSession = async (first) => {
      taken = await this.#pool.take(structure ? structureTables : firstTableOf(first));
      taken.watched = !structure;
      return taken;
    };
    const end = (how: 'give' | 'drop'): void => {
      if (taken === null) return;
      taken.watched = true;
      this.#pool[how](taken);
    };
    const events: TransactionEvents = {
      sent: (count) => {
        this.#sent += count;
      },
      broken: () => end('drop'),
      own: structure ? null : this.own,
    };
    try {
      return await runTransaction(take, structure ? withLongTimeouts(work) : work, events);
    } finally {
      end('give');
    }
  }

  /** The session is not used again: it may be in the middle of an answer. */
  async snapshot<T>(work: (reading: SnapshotReading) => Promise<T>): Promise<T> {
    const session = await this.#pool.take(noTables);
    session.watched = false;
    try {
      return await readSnapshot(session, work);
    } finally {
      this.#pool.drop(session);
    }
  }

  requireOneDatabase(): Promise<void> {
    return this.#hosts.requireOneDatabase();
  }

  async version(): Promise<string> {
    const [row] = await this.rows({ kind: 'read', text: "SELECT current_setting('server_version')", values: [] });
    return String(row?.[0]);
  }

  pool(): PoolState {
    return this.#pool.state();
  }

  statements(): number {
    return this.#sent;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** A read is sent once more if its connection breaks, on another one, or if it lost to something else, as to the recovery of a standby. */
  async #execute(statement: Statement, signal: StopSignal | undefined, mayRepeat = true): Promise<StatementResult> {
    refuseAborted(signal);
    const { tables = noTables } = statement;
    const session = this.#pool.takeIdle(tables) ?? (await this.#pool.take(tables, signal));
    try {
      return await this.#executeOn(session, statement, signal);
    } catch (error) {
      const failure = this.#judge(session, error);
      if (!mayRepeat || statement.kind !== 'read' || !(mayRetry(failure) || isBrokenEarly(failure, session))) throw failure;
      if (isConnectionLost(failure)) this.#pool.dropIdle();
    } finally {
      this.#pool.give(session);
    }
    return this.#execute(statement, signal, false);
  }

  async #executeOn(session: Session, statement: Statement, signal: StopSignal | undefined): Promise<StatementResult> {
    this.#sent += 1;
    try {
      return await this.#executeNamed(session, statement, signal);
    } catch (error) {
      if (!isPreparedNameLost(error)) throw error;
      this.#sent += 1;
      return await this.#executeNamed(session, { ...statement, prepare: false }, signal);
    }
  }

  #executeNamed(session: Session, statement: Statement, signal: StopSignal | undefined): Promise<StatementResult> {
    const { kind } = statement;
    if (kind === 'read' || kind === 'ddl' || !this.own.areWatched) return session.execute(statement, signal);
    return this.own.named((onCell) => session.execute(statement, signal, 'alone', { after: [askForId], onCell }));
  }

  #findHosts(options: DialectOptions): Hosts<Session> {
    const urls = splitHosts(options.url);
    const readOnly = options.readOnly === true;
    const follows = urls.length > 1 && !readOnly;
    const onLost = (session: Session): void => this.#pool.drop(session);
    const onReadOnly = (): void => {
      this.#hosts.suspect();
      this.#pool.dropIdle();
    };
    const open = (settings: SessionSettings) => openSession(settings, { onLost, onReadOnly: follows ? onReadOnly : null });
    return new Hosts(
      urls.map((url) => ({ name: nameOfHost(url), open: openerFor({ ...options, url }, open) })),
      {
        inspect: inspectHost,
        close: (session) => void session.client.end(),
        readOnly,
        onMove: () => {
          // A host that has lost the latest transactions gives their ids to others.
          this.own.forget();
          this.#pool.dropIdle();
        },
      },
    );
  }

  #judge(session: Session, error: unknown): DatabaseError {
    if (isConnectionLost(error)) this.#pool.drop(session);
    return toDatabaseError(error);
  }
}

/** Whether the connection broke soon after the read was sent. A caller that has waited for a silent server gets the error instead. */
const isBrokenEarly = (failure: DatabaseError, session: Session): boolean =>
  failure.kind === 'unavailable' && isConnectionLost(failure) && session.failedAfterMs < repeatWithinMs;

/** Lifts the time limit of statements, because a large table is rewritten slowly, and waits longer for locks. */
function withLongTimeouts<T>(work: (connection: Connection) => Promise<T>): (connection: Connection) => Promise<T> {
  return async (connection) => {
    await connection.rows({
      kind: 'write',
      text: "SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', '30000', true)",
      values: [],
    });
    return work(connection);
  };
}

function refuseAborted(signal: StopSignal | undefined): void {
  if (signal?.aborted === true) throw new DatabaseError('cancelled', 'the request was cancelled');
}

/** A standby and a server that is set to read-only refuse writes. The identity is the same on a primary and its standbys. */
async function inspectHost(session: Session): Promise<HostState> {
  const text = "SELECT current_setting('transaction_read_only'), (SELECT system_identifier::text FROM pg_control_system())";
  try {
    const [row] = (await session.execute({ kind: 'read', text, values: [] })).rows;
    return { writable: row?.[0] === 'off', shared: false, identity: row?.[1] == null ? null : String(row[1]) };
  } catch (error) {
    throw toDatabaseError(error);
  }
}

interface SessionEvents {
  readonly onLost: (session: Session) => void;
  readonly onReadOnly: (() => void) | null;
}

async function openSession({ client: settings, local }: SessionSettings, { onLost, onReadOnly }: SessionEvents): Promise<Session> {
  const client = new pg.Client(settings);
  // The types of the package omit what this driver uses: the keys for cancelling, and custom queries.
  const wireClient = client as unknown as WireClient;
  const session = new Session(wireClient, () => cancel(client, wireClient), local, onReadOnly);
  client.on('error', () => onLost(session));
  try {
    await client.connect();
  } catch (error) {
    throw toDatabaseError(error);
  }
  return session;
}

interface CancelConnection {
  readonly stream: { destroy(): void };
  on(event: 'connect' | 'sslconnect' | 'error' | 'end', listener: () => void): void;
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
}

/** Sends a cancel request over a separate socket, which the server closes when it has handled the request. */
function cancel(client: pg.Client, keys: WireClient): Promise<void> {
  return new Promise((resolve) => {
    const connection = new pg.Connection({ ssl: client.ssl }) as unknown as CancelConnection;
    const timer = setTimeout(() => giveUp(), cancelTimeoutMs);
    const send = (): void => connection.cancel(keys.processID ?? 0, keys.secretKey ?? 0);
    const finish = (): void => {
      clearTimeout(timer);
      resolve();
    };
    // If the request cannot be sent, end the connection, which stops the statement as well.
    const giveUp = (): void => {
      connection.stream.destroy();
      void keys.end();
      finish();
    };
    connection.on('connect', client.ssl ? () => connection.requestSsl() : send);
    connection.on('sslconnect', send);
    connection.on('error', giveUp);
    connection.on('end', finish);
    if (client.host.startsWith('/')) connection.connect(`${client.host}/.s.PGSQL.${client.port}`);
    else connection.connect(client.port, client.host);
  });
}
