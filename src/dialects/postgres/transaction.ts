// The statements of one transaction: one after the other on one session, and none after its end. BEGIN goes with the first of them,
// COMMIT with the one that is said to be the last.

import { AheadFailure, DatabaseError } from '../../core/vendor/database-error.js';
import type { Connection, Row, Statement } from '../../core/vendor/driver.js';
import type { StopSignal } from '../../core/vendor/stop-signal.js';
import { toDatabaseError } from './errors.js';
import type { Session } from './session.js';
import type { Carried, StatementResult } from './statement-exchange.js';

const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED';
const commit: Statement = { text: 'COMMIT', values: [], prepare: true };
const rollback: Statement = { text: 'ROLLBACK', values: [], prepare: true };

export interface TransactionEvents {
  /** Statements of the work were sent. */
  sent(count: number): void;
  /** Not even ROLLBACK succeeded: the session's state is unknown. */
  broken(): void;
}

/** Runs `work` inside BEGIN and COMMIT. Rejects with what `work` rejected with, after ROLLBACK. */
export async function runTransaction<T>(
  session: Session,
  work: (connection: Connection) => Promise<T>,
  events: TransactionEvents,
): Promise<T> {
  const connection = new TransactionConnection(session, events);
  try {
    const result = await work(connection);
    if ((await connection.end()) === 'open') requireCommitted(await execute(session, commit));
    return result;
  } catch (error) {
    if ((await connection.end()) === 'open') await execute(session, rollback).catch(events.broken);
    throw error;
  }
}

async function execute(session: Session, statement: Statement, signal?: StopSignal, carried?: Carried): Promise<StatementResult> {
  try {
    return await session.execute(statement, signal, carried);
  } catch (error) {
    throw error instanceof AheadFailure ? error : toDatabaseError(error);
  }
}

/** The server answers COMMIT with ROLLBACK when a statement had failed and its error was swallowed. */
function requireCommitted({ tag }: StatementResult): void {
  if (tag !== 'COMMIT') throw new DatabaseError('other', 'the transaction was rolled back because one of its statements had failed');
}

/** unopened: nothing was sent yet; closed: committed with its last statement. */
type TransactionState = 'unopened' | 'open' | 'closed';

class TransactionConnection implements Connection {
  readonly #session: Session;
  readonly #events: TransactionEvents;
  #last: Promise<unknown> = Promise.resolve();
  #ended = false;
  #state: TransactionState = 'unopened';

  constructor(session: Session, events: TransactionEvents) {
    this.#session = session;
    this.#events = events;
  }

  async rows(statement: Statement, signal?: StopSignal): Promise<readonly Row[]> {
    return (await this.#execute(statement, signal)).rows;
  }

  async run(statement: Statement, signal?: StopSignal): Promise<number> {
    return (await this.#execute(statement, signal)).count;
  }

  async end(): Promise<TransactionState> {
    this.#ended = true;
    await this.#last;
    return this.#state;
  }

  #execute(statement: Statement, signal: StopSignal | undefined): Promise<StatementResult> {
    if (this.#ended) return Promise.reject(new DatabaseError('other', 'the transaction has ended'));
    this.#ended = statement.last === true;
    const result = this.#last.then(() => this.#send(statement, signal));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #sendAlone(statement: Statement, signal: StopSignal | undefined): Promise<StatementResult> {
    this.#state = 'closed';
    return execute(this.#session, statement, signal);
  }

  async #send(statement: Statement, signal: StopSignal | undefined): Promise<StatementResult> {
    this.#events.sent(1 + (statement.ahead?.length ?? 0));
    const [opens, closes] = [this.#state === 'unopened', statement.last === true];
    this.#state = 'open';
    // Statements sent together, with nothing before and after them, are a transaction of their own.
    if (opens && closes) return this.#sendAlone(statement, signal);
    const result = await execute(this.#session, statement, signal, { before: opens ? begin : null, after: closes ? commit.text : null });
    if (closes) {
      requireCommitted(result);
      this.#state = 'closed';
    }
    return result;
  }
}
