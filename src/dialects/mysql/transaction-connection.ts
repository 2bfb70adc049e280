// The statements of one transaction, one exchange after the other: a cancelled one must not take another with it, and warnings are those
// of the last. START TRANSACTION goes with the first INSERTs and COMMIT with those said to be the last, where the server can.

import { AheadFailure, DatabaseError } from '../../core/vendor/database-error.js';
import type { AheadStatement, Connection, Row, Statement } from '../../core/vendor/driver.js';
import type { StopSignal } from '../../core/vendor/stop-signal.js';
import { askFailedPart, compound, compoundFrom } from './compound.js';
import { errorNumber, toDatabaseError } from './errors.js';
import { keepNumber } from './late.js';
import type { Reply } from './session.js';

export interface TransactionPort {
  /** `parts`: how many statements these are in one. */
  send(statement: Statement, signal?: StopSignal, parts?: number): Promise<Reply>;
  start(): Promise<unknown>;
  /** Whether the server takes compound statements. */
  readonly compounds: boolean;
  /** Whether an exchange may commit: what changes the structure has its own end. */
  readonly closes: boolean;
}

/** unopened: nothing was sent yet; closed: committed with its last statement. */
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
    const { ahead = [], last = false } = statement;
    return this.#queue(async () => {
      let answer: readonly Row[] = [];
      const told = (rows: readonly Row[]): void => {
        answer = rows;
      };
      try {
        await this.#sendAll([...ahead, { ...statement, told }], last && this.#port.closes, signal);
      } catch (error) {
        throw error instanceof AheadFailure && error.index === ahead.length ? error.error : error;
      }
      return answer;
    });
  }

  run(statement: Statement, signal?: StopSignal): Promise<number> {
    return this.#queue(async () => {
      await this.#sendAll(statement.ahead ?? [], false, signal);
      return (await this.#sendOne(statement, signal)).affected;
    });
  }

  /** Waits for the statement under way; later ones are refused, as the session is no longer ours. */
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

  /** INSERTs side by side in one exchange, others each in its own. Which one failed is told by its place among them. */
  async #sendAll(statements: readonly AheadStatement[], closes: boolean, signal: StopSignal | undefined): Promise<void> {
    for (let from = 0; from < statements.length; ) {
      const parts = this.#port.compounds ? compoundFrom(statements, from) : [];
      const count = Math.max(1, parts.length);
      const last = closes && from + count === statements.length;
      try {
        if (parts.length > 1 || this.#gains(parts[0], last)) await this.#sendTogether(parts, last, signal);
        else await this.#sendAlone(statements[from], last, signal);
      } catch (error) {
        throw error instanceof AheadFailure ? new AheadFailure(from + error.index, error.error) : error;
      }
      from += count;
    }
  }

  /** Whether a single INSERT has others to go with: the beginning or the end of the transaction, or keeping its number. */
  #gains(insert: Statement | undefined, closes: boolean): boolean {
    if (insert === undefined) return false;
    const opens = this.#state === 'unopened';
    return opens !== closes || (insert.counter !== undefined && !closes);
  }

  async #sendAlone(statement: AheadStatement | undefined, closes: boolean, signal: StopSignal | undefined): Promise<void> {
    if (statement === undefined) return;
    // With nothing before and after it, a statement is a transaction of its own.
    const isWhole = closes && this.#state === 'unopened';
    try {
      const { rows } = isWhole ? await this.#port.send(statement, signal) : await this.#sendOne(statement, signal);
      if (isWhole) this.#state = 'closed';
      statement.told?.(rows);
    } catch (error) {
      throw error instanceof DatabaseError ? new AheadFailure(0, error) : error;
    }
  }

  async #sendOne(statement: Statement, signal: StopSignal | undefined): Promise<Reply> {
    await this.#open();
    const reply = await this.#port.send(statement, signal);
    if (statement.counter !== undefined) await this.#port.send({ text: keepNumber(statement.counter), values: [] });
    return reply;
  }

  async #open(): Promise<void> {
    if (this.#state !== 'unopened') return;
    this.#state = 'open';
    await this.#port.start();
  }

  async #sendTogether(parts: readonly AheadStatement[], closes: boolean, signal: StopSignal | undefined): Promise<void> {
    const opens = this.#state === 'unopened';
    this.#state = 'open';
    try {
      const { sets } = await this.#port.send(compound(parts, { opens, closes }), signal, parts.length);
      if (closes) this.#state = 'closed';
      const telling = parts.filter(({ told }) => told !== undefined);
      for (const [index, { told }] of telling.entries()) told?.(sets[index] ?? []);
    } catch (error) {
      throw await this.#explain(parts, error);
    }
  }

  /** The server says what is wrong and not with which of the parts. */
  async #explain(parts: readonly Statement[], error: unknown): Promise<unknown> {
    if (!(error instanceof DatabaseError) || errorNumber(error.cause) === null) return error;
    if (error.kind === 'cancelled' || error.kind === 'timeout') return error;
    const [row] = (await this.#port.send(askFailedPart)).rows;
    const index = Number(row?.[0] ?? 0);
    return new AheadFailure(index, toDatabaseError(error.cause, parts[index]?.text));
  }
}
