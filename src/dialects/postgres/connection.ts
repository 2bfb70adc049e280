// The driver: a pool of sessions over the `pg` package, the only file that imports it.

import pg from 'pg';
import { DatabaseError } from '../../core/vendor/database-error.js';
import type { DialectOptions } from '../../core/vendor/dialect.js';
import type { Connection, Driver, PoolState, Row, Statement, TransactionOptions } from '../../core/vendor/driver.js';
import type { StopSignal } from '../../core/vendor/stop-signal.js';
import { ConnectionPool } from './connection-pool.js';
import { isConnectionLost, isPreparedNameLost, toDatabaseError } from './errors.js';
import { Session } from './session.js';
import { type ClientSettings, clientSettings } from './session-settings.js';
import type { StatementResult } from './statement-exchange.js';
import { runTransaction, type TransactionEvents } from './transaction.js';
import type { WireClient } from './wire.js';

const silenceMs = 5_000;
const cancelTimeoutMs = 1_500;

export function openDriver(options: DialectOptions): Driver {
  return new PostgresDriver(options);
}

class PostgresDriver implements Driver {
  readonly #pool: ConnectionPool<Session>;
  #sent = 0;

  constructor(options: DialectOptions) {
    const settings = clientSettings(options);
    this.#pool = new ConnectionPool<Session>({
      max: options.poolSize,
      maxWaitMs: options.statementTimeoutMs,
      open: () => openSession(settings, (session) => this.#pool.drop(session)),
      close: (session) => session.client.end(),
      isStuck: (session, now) => session.isStuckSince(now - options.statementTimeoutMs - silenceMs),
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
    const session = await this.#pool.take(signal);
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
    const session = await this.#pool.take();
    session.watched = options.structure !== true;
    const events: TransactionEvents = {
      sent: (count) => {
        this.#sent += count;
      },
      broken: () => this.#pool.drop(session),
    };
    try {
      return await runTransaction(session, options.structure === true ? withPatience(work) : work, events);
    } finally {
      session.watched = true;
      this.#pool.give(session);
    }
  }

  async version(): Promise<string> {
    const [row] = await this.rows({ text: "SELECT current_setting('server_version')", values: [] });
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

  async #execute(statement: Statement, signal: StopSignal | undefined): Promise<StatementResult> {
    refuseAborted(signal);
    const session = this.#pool.takeIdle() ?? (await this.#pool.take(signal));
    try {
      return await this.#executeOn(session, statement, signal);
    } catch (error) {
      throw this.#judge(session, error);
    } finally {
      this.#pool.give(session);
    }
  }

  async #executeOn(session: Session, statement: Statement, signal: StopSignal | undefined): Promise<StatementResult> {
    this.#sent += 1;
    try {
      return await session.execute(statement, signal);
    } catch (error) {
      if (!isPreparedNameLost(error)) throw error;
      this.#sent += 1;
      return await session.execute({ ...statement, prepare: false }, signal);
    }
  }

  #judge(session: Session, error: unknown): DatabaseError {
    if (isConnectionLost(error)) this.#pool.drop(session);
    return toDatabaseError(error);
  }
}

/** Rewriting a table takes as long as it takes, and another process may be changing the structure first. */
function withPatience<T>(work: (connection: Connection) => Promise<T>): (connection: Connection) => Promise<T> {
  return async (connection) => {
    await connection.rows({
      text: "SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', '30000', true)",
      values: [],
    });
    return work(connection);
  };
}

function refuseAborted(signal: StopSignal | undefined): void {
  if (signal?.aborted === true) throw new DatabaseError('cancelled', 'the request was cancelled');
}

async function openSession(settings: ClientSettings, onLost: (session: Session) => void): Promise<Session> {
  const client = new pg.Client(settings);
  // The package's types leave out what the wire protocol needs: keys for cancelling, statements of our own.
  const wireClient = client as unknown as WireClient;
  const session = new Session(wireClient, () => cancel(client, wireClient));
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

/** A cancel request goes over a socket of its own, which the server closes once it has passed the request on. */
function cancel(client: pg.Client, keys: WireClient): Promise<void> {
  return new Promise((resolve) => {
    const connection = new pg.Connection({ ssl: client.ssl }) as unknown as CancelConnection;
    const timer = setTimeout(() => giveUp(), cancelTimeoutMs);
    const send = (): void => connection.cancel(keys.processID ?? 0, keys.secretKey ?? 0);
    const finish = (): void => {
      clearTimeout(timer);
      resolve();
    };
    // A server that cannot be told is told by the end of the connection itself.
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
