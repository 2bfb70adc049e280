// The connection of one transaction on the writer. BEGIN goes with its first statement and COMMIT with the one that is said to be the
// last, so that the way to the worker and back is gone as seldom as can be.

import { AheadFailure, DatabaseError } from '../../core/vendor/database-error.js';
import type { AheadStatement, Connection, Row, Statement } from '../../core/vendor/driver.js';
import { type Place, place } from './worker-messages.js';

/** Sends a statement that stands at this place. */
export interface SendAt {
  rows(statement: Statement, at: Place, signal?: AbortSignal): Promise<readonly Row[]>;
  run(statement: Statement, at: Place, signal?: AbortSignal): Promise<number>;
}

/** unopened: nothing was sent yet; closed: committed with its last statement. */
export type TransactionState = 'unopened' | 'open' | 'closed';

export class TransactionConnection implements Connection {
  readonly #send: SendAt;
  readonly #onAlone: () => void;
  #state: TransactionState;
  #ended = false;

  /** `onAlone`: one statement is the whole transaction, and it is on its way. */
  constructor(send: SendAt, state: 'unopened' | 'open', onAlone: () => void) {
    this.#send = send;
    this.#state = state;
    this.#onAlone = onAlone;
  }

  rows(statement: Statement, signal?: AbortSignal): Promise<readonly Row[]> {
    return this.#inPlace(statement, (at) => this.#send.rows(statement, at, signal));
  }

  run(statement: Statement, signal?: AbortSignal): Promise<number> {
    return this.#inPlace(statement, (at) => this.#send.run(statement, at, signal));
  }

  /** Somebody who kept the connection beyond its transaction must not write into another one. */
  end(): TransactionState {
    this.#ended = true;
    return this.#state;
  }

  async #inPlace<T>({ ahead = [], last = false }: Statement, send: (at: Place) => Promise<T>): Promise<T> {
    if (this.#ended) throw new DatabaseError('other', 'the transaction has already ended');
    this.#ended = last;
    if (last && ahead.length === 0 && this.#opens()) return this.#sendAlone(send);
    // Sent without waiting: once one has failed the worker refuses what comes after it, the commit included.
    const before = ahead.map((statement) => this.#sendAhead(statement, placeOf(this.#opens(), false)));
    const sending = send(placeOf(this.#opens(), last));
    const outcomes = await Promise.allSettled(before);
    const answer = await sending.catch((error: unknown) => Promise.reject(firstFailure(outcomes) ?? error));
    if (last) this.#state = 'closed';
    return answer;
  }

  #sendAlone<T>(send: (at: Place) => Promise<T>): Promise<T> {
    this.#state = 'closed';
    const answer = send(place.only);
    this.#onAlone();
    return answer;
  }

  async #sendAhead(statement: AheadStatement, at: Place): Promise<void> {
    if (statement.told === undefined) await this.#send.run(statement, at);
    else statement.told(await this.#send.rows(statement, at));
  }

  #opens(): boolean {
    const opens = this.#state === 'unopened';
    this.#state = 'open';
    return opens;
  }
}

function firstFailure(outcomes: readonly PromiseSettledResult<unknown>[]): AheadFailure | null {
  const index = outcomes.findIndex(({ status }) => status === 'rejected');
  const outcome = outcomes[index];
  return outcome?.status === 'rejected' && outcome.reason instanceof DatabaseError ? new AheadFailure(index, outcome.reason) : null;
}

function placeOf(first: boolean, last: boolean): Place {
  if (first) return place.first;
  return last ? place.last : place.inside;
}
