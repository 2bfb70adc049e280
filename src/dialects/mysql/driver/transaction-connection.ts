// The connection of one transaction. Exchanges run strictly one after the other, because KILL QUERY would otherwise hit the wrong statement and
// SHOW WARNINGS reports those of the last one. On MariaDB, neighbouring INSERTs are sent as one compound statement, which also includes START
// TRANSACTION at the beginning and COMMIT at the end.

import { DatabaseError, QueuedFailure } from '../../../core/vendor/database-error.js';
import type { Connection, QueuedStatement, Row, Statement } from '../../../core/vendor/driver.js';
import type { StopSignal } from '../../../core/vendor/stop-signal.js';
import { keepKey } from '../sql/pending-keys.js';
import { askFailedPart, compound, compoundFrom } from './compound.js';
import { errorNumber, toDatabaseError } from './errors.js';
import type { Reply } from './session.js';

export interface TransactionPort {
  /** `parts`: the number of statements in a compound statement. */
  send(statement: Statement, signal?: StopSignal, parts?: number): Promise<Reply>;
  /** Begins the transaction. `first`: the statement that follows. */
  start(first: Statement): Promise<unknown>;
  /** Whether the server supports compound statements. */
  readonly compounds: boolean;
  /** Whether an exchange may include COMMIT; not in a structural transaction. */
  readonly closes: boolean;
}

/** unopened: nothing has been sent; closed: committed with the last statement. */
export type TransactionState = 'unopened' | 'open' | 'closed';

export class TransactionConnection implements Connection {
  readonly #port: TransactionPort;
  #tail: Promise<unknown> = Promise.resolve();
  #ended = false;
  #state: TransactionState = 'unopened';

  constructor(port: TransactionPort) {
    this.#port = port;
  }

  rows(statement: Statement, signal?: StopSignal): Promise<readonly Row[]> {
    const { queued = [], last = false } = statement;
    return this.#queue(async () => {
      let answer: readonly Row[] = [];
      const onRows = (rows: readonly Row[]): void => {
        answer = rows;
      };
      try {
        await this.#sendAll([...queued, { ...statement, onRows }], last && this.#port.closes, signal);
      } catch (error) {
        throw error instanceof QueuedFailure && error.index === queued.length ? error.error : error;
      }
      return answer;
    });
  }

  run(statement: Statement, signal?: StopSignal): Promise<number> {
    return this.#queue(async () => {
      await this.#sendAll(statement.queued ?? [], false, signal);
      return (await this.#sendOne(statement, signal)).affected;
    });
  }

  /** Refuses further statements, because the session will be used by others, and waits for the current one. */
  async end(): Promise<TransactionState> {
    this.#ended = true;
    await this.#tail;
    return this.#state;
  }

  #queue<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(() => {
      if (this.#ended || this.#state === 'closed') throw new DatabaseError('other', 'The transaction has ended.');
      return act();
    });
    this.#tail = result.catch(() => undefined);
    return result;
  }

  /** Sends neighbouring INSERTs in one exchange, and any other statement in its own. A QueuedFailure has the index of the one that failed. */
  async #sendAll(statements: readonly QueuedStatement[], closes: boolean, signal: StopSignal | undefined): Promise<void> {
    for (let from = 0; from < statements.length; ) {
      const parts = this.#port.compounds ? compoundFrom(statements, from) : [];
      const count = Math.max(1, parts.length);
      const last = closes && from + count === statements.length;
      try {
        if (parts.length > 1 || this.#gains(parts[0], last)) await this.#sendTogether(parts, last, signal);
        else await this.#sendAlone(statements[from], last, signal);
      } catch (error) {
        throw error instanceof QueuedFailure ? new QueuedFailure(from + error.index, error.error) : error;
      }
      from += count;
    }
  }

  /** Whether a single INSERT saves a round trip as a compound: START TRANSACTION or COMMIT goes with it, or the statement that keeps its key. */
  #gains(insert: Statement | undefined, closes: boolean): boolean {
    if (insert === undefined) return false;
    const opens = this.#state === 'unopened';
    return opens !== closes || (insert.batch !== undefined && !closes);
  }

  async #sendAlone(statement: QueuedStatement | undefined, closes: boolean, signal: StopSignal | undefined): Promise<void> {
    if (statement === undefined) return;
    // A transaction of a single statement needs no START TRANSACTION: autocommit is on.
    const isWhole = closes && this.#state === 'unopened';
    try {
      const { rows } = isWhole ? await this.#port.send(statement, signal) : await this.#sendOne(statement, signal);
      if (isWhole) this.#state = 'closed';
      statement.onRows?.(rows);
    } catch (error) {
      throw error instanceof DatabaseError ? new QueuedFailure(0, error) : error;
    }
  }

  async #sendOne(statement: Statement, signal: StopSignal | undefined): Promise<Reply> {
    await this.#open(statement);
    const reply = await this.#port.send(statement, signal);
    if (statement.batch !== undefined) await this.#port.send({ kind: 'write', text: keepKey(statement.batch), values: [] });
    return reply;
  }

  async #open(first: Statement): Promise<void> {
    if (this.#state !== 'unopened') return;
    this.#state = 'open';
    await this.#port.start(first);
  }

  async #sendTogether(parts: readonly QueuedStatement[], closes: boolean, signal: StopSignal | undefined): Promise<void> {
    const opens = this.#state === 'unopened';
    this.#state = 'open';
    try {
      const { sets } = await this.#port.send(compound(parts, { opens, closes }), signal, parts.length);
      if (closes) this.#state = 'closed';
      const answering = parts.filter(({ onRows }) => onRows !== undefined);
      for (const [index, { onRows }] of answering.entries()) onRows?.(sets[index] ?? []);
    } catch (error) {
      throw await this.#explain(parts, error);
    }
  }

  /** The error of a compound statement does not say which part failed, so this reads the number of the last part that was started. */
  async #explain(parts: readonly Statement[], error: unknown): Promise<unknown> {
    if (!(error instanceof DatabaseError) || errorNumber(error.cause) === null) return error;
    if (error.kind === 'cancelled' || error.kind === 'timeout') return error;
    const [row] = (await this.#port.send(askFailedPart)).rows;
    const index = Number(row?.[0] ?? 0);
    return new QueuedFailure(index, toDatabaseError(error.cause, parts[index]?.text));
  }
}
