// The connection of one transaction on the writer. BEGIN is sent with the first statement and COMMIT with the one marked as the last, to keep
// the number of messages low: a transaction of one exchange needs a single message.

import { DatabaseError, QueuedFailure } from '../../../core/vendor/database-error.js';
import type { Connection, QueuedStatement, Row, Statement } from '../../../core/vendor/driver.js';
import type { StopSignal } from '../../../core/vendor/stop-signal.js';
import type { ExchangePart } from './pending-keys.js';
import { type PartAnswer, type Place, place, wanted } from './worker/messages.js';

/** Sends statements that have this place in their transaction. */
export type SendExchange = (at: Place, parts: readonly ExchangePart[], signal?: StopSignal) => Promise<readonly PartAnswer[]>;

/** unopened: nothing has been sent; closed: committed with the last statement. */
export type TransactionState = 'unopened' | 'open' | 'closed';

export class TransactionConnection implements Connection {
  readonly #send: SendExchange;
  readonly #onOnly: () => void;
  #state: TransactionState;
  #ended = false;

  /** `onOnly`: called when an exchange that is the whole transaction has been sent. */
  constructor(send: SendExchange, state: 'unopened' | 'open', onOnly: () => void) {
    this.#send = send;
    this.#state = state;
    this.#onOnly = onOnly;
  }

  async rows(statement: Statement, signal?: StopSignal): Promise<readonly Row[]> {
    const answer = await this.#exchange(statement, wanted.rows, signal);
    return rowsOf(answer);
  }

  async run(statement: Statement, signal?: StopSignal): Promise<number> {
    const answer = await this.#exchange(statement, wanted.count, signal);
    return typeof answer === 'number' ? answer : 0;
  }

  /** Refuses further statements: code that keeps the connection after its transaction must not write into the next one. */
  end(): TransactionState {
    this.#ended = true;
    return this.#state;
  }

  async #exchange(statement: Statement, what: ExchangePart['wanted'], signal: StopSignal | undefined): Promise<PartAnswer> {
    if (this.#ended) throw new DatabaseError('other', 'the transaction has already ended');
    const { queued = [], last = false, recovers = false } = statement;
    this.#ended = last;
    const at = recovers ? place.recovery : placeOf(this.#state === 'unopened', last);
    // The worker always ends an exchange that is a whole transaction, so no rollback is needed if it fails.
    this.#state = at === place.only ? 'closed' : 'open';
    const sending = this.#send(at, [...queued.map(queuedPart), { statement, wanted: what }], signal);
    if (at === place.only) this.#onOnly();
    const answers = await sending;
    if (last) this.#state = 'closed';
    for (const [index, { onRows }] of queued.entries()) onRows?.(rowsOf(answers[index]));
    return answers.at(-1) ?? null;
  }
}

const queuedPart = (statement: QueuedStatement): ExchangePart => ({
  statement,
  wanted: statement.onRows === undefined && statement.batch === undefined ? wanted.nothing : wanted.rows,
});

const rowsOf = (answer: PartAnswer | undefined): readonly Row[] => (Array.isArray(answer) ? answer : []);

function placeOf(first: boolean, last: boolean): Place {
  if (first) return last ? place.only : place.first;
  return last ? place.last : place.inside;
}

/** `part`: the index of the statement that failed. The last statement is the caller's own; those before it were queued. */
export function failureOf(parts: number, error: DatabaseError, part: number | undefined): Error {
  return part === undefined || part === parts - 1 ? error : new QueuedFailure(part, error);
}
