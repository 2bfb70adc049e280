// One transaction: its statements run one after the other on one session, and none after its end. BEGIN is sent with the first statement and
// COMMIT with the one marked as the last, which saves two round trips.

import { DatabaseError, QueuedFailure } from '../../../core/vendor/database-error.js';
import type { Connection, Row, Statement } from '../../../core/vendor/driver.js';
import type { StopSignal } from '../../../core/vendor/stop-signal.js';
import { toDatabaseError } from './errors.js';
import { askForId, type OwnTransactions } from './own-transactions.js';
import type { Session, Standing } from './session.js';
import type { CarriedAfter, StatementResult } from './statement-exchange.js';

const commit: Statement = { kind: 'write', text: 'COMMIT', values: [], prepare: true };
const rollback: Statement = { kind: 'write', text: 'ROLLBACK', values: [], prepare: true };

const askForIdFirst: Statement = { kind: 'write', text: askForId, values: [], prepare: true };
const commitAfter: CarriedAfter = { after: [commit.text] };

export interface TransactionEvents {
  /** Called when `count` statements have been sent; BEGIN and COMMIT do not count. */
  sent(count: number): void;
  /** Called when ROLLBACK has failed, so that the state of the session is unknown. */
  broken(): void;
  /** Learns the ids of transactions; null: this one changes the structure, and counts as somebody else's. */
  readonly own: OwnTransactions | null;
}

/** Takes a session from the pool for a transaction that begins with this statement. */
export type TakeSession = (first: Statement) => Promise<Session>;

/** Runs `work` inside BEGIN and COMMIT. If `work` rejects, rolls back and rejects with the same error. The session is taken at the first statement. */
export async function runTransaction<T>(
  take: TakeSession,
  work: (connection: Connection) => Promise<T>,
  events: TransactionEvents,
): Promise<T> {
  const connection = new TransactionConnection(take, events);
  try {
    const result = await work(connection);
    const session = await connection.end();
    if (session !== null) requireCommitted(await commitOn(session, events.own));
    return result;
  } catch (error) {
    const session = await connection.end();
    if (session !== null) await execute(session, rollback, 'inside').catch(events.broken);
    throw error;
  }
}

function commitOn(session: Session, own: OwnTransactions | null): Promise<StatementResult> {
  if (own?.areWatched !== true) return execute(session, commit, 'inside');
  return own.named(async (note) => {
    const result = await execute(session, askForIdFirst, 'inside', undefined, commitAfter);
    note(result.rows[0]?.[0] as string | null);
    return result;
  });
}

async function execute(
  session: Session,
  statement: Statement,
  standing: Standing,
  signal?: StopSignal,
  after?: CarriedAfter,
): Promise<StatementResult> {
  try {
    return await session.execute(statement, signal, standing, after);
  } catch (error) {
    throw error instanceof QueuedFailure ? error : toDatabaseError(error);
  }
}

/** The server answers COMMIT with ROLLBACK if a statement has failed, even if the caller ignored the error. */
function requireCommitted({ tag }: StatementResult): void {
  if (tag !== 'COMMIT') throw new DatabaseError('other', 'the transaction was rolled back because one of its statements had failed');
}

/** unopened: nothing has been sent; closed: committed with the last statement. */
type TransactionState = 'unopened' | 'open' | 'closed';

class TransactionConnection implements Connection {
  readonly #take: TakeSession;
  #session: Session | null = null;
  readonly #events: TransactionEvents;
  #last: Promise<unknown> = Promise.resolve();
  #ended = false;
  #state: TransactionState = 'unopened';

  constructor(take: TakeSession, events: TransactionEvents) {
    this.#take = take;
    this.#events = events;
  }

  async rows(statement: Statement, signal?: StopSignal): Promise<readonly Row[]> {
    return (await this.#execute(statement, signal)).rows;
  }

  async run(statement: Statement, signal?: StopSignal): Promise<number> {
    return (await this.#execute(statement, signal)).count;
  }

  /** Refuses further statements. Resolves with the session if its transaction is still open. */
  async end(): Promise<Session | null> {
    this.#ended = true;
    await this.#last;
    return this.#state === 'open' ? this.#session : null;
  }

  #execute(statement: Statement, signal: StopSignal | undefined): Promise<StatementResult> {
    if (this.#ended) return Promise.reject(new DatabaseError('other', 'the transaction has ended'));
    this.#ended = statement.last === true;
    const result = this.#last.then(() => this.#send(statement, signal));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #sendAlone(session: Session, statement: Statement, signal: StopSignal | undefined): Promise<StatementResult> {
    this.#state = 'closed';
    const { own } = this.#events;
    if (own?.areWatched !== true) return execute(session, statement, 'alone', signal);
    return own.named((onCell) => execute(session, statement, 'alone', signal, { after: [askForId], onCell }));
  }

  #sendLast(session: Session, statement: Statement, signal: StopSignal | undefined): Promise<StatementResult> {
    const { own } = this.#events;
    if (own?.areWatched !== true) return execute(session, statement, 'inside', signal, commitAfter);
    return own.named((onCell) => execute(session, statement, 'inside', signal, { after: [askForId, commit.text], onCell }));
  }

  async #send(statement: Statement, signal: StopSignal | undefined): Promise<StatementResult> {
    this.#session ??= await this.#take(statement);
    const session = this.#session;
    this.#events.sent(1 + (statement.queued?.length ?? 0));
    const [opens, closes] = [this.#state === 'unopened', statement.last === true];
    this.#state = 'open';
    // The statements of one exchange without BEGIN are an implicit transaction.
    if (opens && closes) return this.#sendAlone(session, statement, signal);
    if (!closes) return execute(session, statement, opens ? 'first' : 'inside', signal);
    const result = await this.#sendLast(session, statement, signal);
    requireCommitted(result);
    this.#state = 'closed';
    return result;
  }
}
