// The connection of one transaction on the writer. BEGIN goes with its first statement and COMMIT with the one that is said to be the
// last, so that the way to the worker and back is gone as seldom as can be.

import { AheadFailure, DatabaseError } from '../../core/vendor/database-error.js';
import type { AheadStatement, Connection, Row, Statement } from '../../core/vendor/driver.js';
import type { StopSignal } from '../../core/vendor/stop-signal.js';
import type { ExchangePart } from './send-lates.js';
import { type PartAnswer, type Place, place, wanted } from './worker-messages.js';

/** Sends statements that stand at this place of their transaction. */
export type SendExchange = (at: Place, parts: readonly ExchangePart[], signal?: StopSignal) => Promise<readonly PartAnswer[]>;

/** unopened: nothing was sent yet; closed: committed with its last statement. */
export type TransactionState = 'unopened' | 'open' | 'closed';

export class TransactionConnection implements Connection {
  readonly #send: SendExchange;
  readonly #onOnly: () => void;
  #state: TransactionState;
  #ended = false;

  /** `onOnly`: one exchange is the whole transaction, and it is on its way. */
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

  /** Somebody who kept the connection beyond its transaction must not write into another one. */
  end(): TransactionState {
    this.#ended = true;
    return this.#state;
  }

  async #exchange(statement: Statement, what: ExchangePart['wanted'], signal: StopSignal | undefined): Promise<PartAnswer> {
    if (this.#ended) throw new DatabaseError('other', 'the transaction has already ended');
    const { ahead = [], last = false } = statement;
    this.#ended = last;
    const at = placeOf(this.#state === 'unopened', last);
    // An exchange that is the whole transaction is brought to its end by the worker in any case.
    this.#state = at === place.only ? 'closed' : 'open';
    const sending = this.#send(at, [...ahead.map(aheadPart), { statement, wanted: what }], signal);
    if (at === place.only) this.#onOnly();
    const answers = await sending;
    if (last) this.#state = 'closed';
    for (const [index, { told }] of ahead.entries()) told?.(rowsOf(answers[index]));
    return answers.at(-1) ?? null;
  }
}

const aheadPart = (statement: AheadStatement): ExchangePart => ({
  statement,
  wanted: statement.told === undefined && statement.counter === undefined ? wanted.nothing : wanted.rows,
});

const rowsOf = (answer: PartAnswer | undefined): readonly Row[] => (Array.isArray(answer) ? answer : []);

function placeOf(first: boolean, last: boolean): Place {
  if (first) return last ? place.only : place.first;
  return last ? place.last : place.inside;
}

/** `part`: which of the statements failed; the last one is the caller's own. */
export function failureOf(parts: number, error: DatabaseError, part: number | undefined): Error {
  return part === undefined || part === parts - 1 ? error : new AheadFailure(part, error);
}
