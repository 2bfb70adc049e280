// What a worker does with the requests of the main thread, one after the other; small transactions that wait together are committed together.

import { unreachable } from '../../core/errors/service-error.js';
import type { SqliteConnection } from './connection.js';
import { KeptStatements } from './kept-statements.js';
import { PartFailure, runParts } from './run-parts.js';
import {
  ask,
  type ExchangeRequest,
  type PlainRequest,
  place,
  type Reply,
  type Request,
  type StatementRequest,
  say,
} from './worker-messages.js';
import { createStream } from './worker-stream.js';
import { Transactions } from './worker-transactions.js';

export type ServedRequest = Exclude<Request, readonly [typeof ask.close]>;

export class RequestServer {
  readonly #connection: SqliteConnection;
  /** Called before each request, with its cell. */
  readonly #begin: (cell: number) => void;
  readonly #checkAlive: () => void;
  readonly #statements: KeptStatements;
  readonly #transactions: Transactions;
  readonly #stream;

  constructor(connection: SqliteConnection, begin: (cell: number) => void, checkAlive: () => void) {
    this.#connection = connection;
    this.#begin = begin;
    this.#checkAlive = checkAlive;
    this.#statements = new KeptStatements(connection);
    this.#transactions = new Transactions(connection);
    this.#stream = createStream(checkAlive);
  }

  serve(request: ServedRequest): Reply {
    try {
      this.#prepare(request);
      if (request[0] === ask.exchange) return this.#exchange(request);
      return request.length === 2 ? this.#plain(request) : this.#statement(request);
    } catch (error) {
      this.#stream.end();
      return errorReply(request[1], error);
    }
  }

  /** Of requests that are whole transactions. */
  serveTogether(requests: readonly ExchangeRequest[]): readonly Reply[] {
    const outcomes =
      requests.length === 1 ? null : this.#transactions.together(requests.map((request) => () => this.#prepareAndRun(request)));
    if (outcomes === null) return requests.map((request) => this.serve(request));
    return requests.map((request, index) => {
      const outcome = outcomes[index];
      return outcome?.ok === true ? outcome.value : errorReply(request[1], outcome?.error);
    });
  }

  close(): void {
    this.#stream.end();
    this.#connection.close();
  }

  #prepare(request: ServedRequest): void {
    this.#begin(request[1]);
    this.#statements.keep(request);
    // A transaction must be brought to its end whether its caller is still there or not.
    if (request[0] !== ask.rollback && request[0] !== ask.end) this.#checkAlive();
  }

  #exchange(request: ExchangeRequest): Reply {
    const [, , at] = request;
    if (at === place.only) return this.#transactions.alone(() => this.#run(request));
    if (at === place.first) this.#transactions.begin(false);
    const answered = this.#transactions.inside(() => this.#run(request));
    if (at === place.last) this.#transactions.commit();
    return answered;
  }

  #prepareAndRun(request: ExchangeRequest): Reply {
    this.#prepare(request);
    return this.#run(request);
  }

  #run([, cell, , parts]: ExchangeRequest): Reply {
    return [say.exchange, cell, runParts(parts, (slot, text) => this.#statements.findAgain(slot, text))];
  }

  #statement([kind, cell, sent]: StatementRequest): Reply {
    const [slot, text, values] = sent;
    const statement = this.#statements.find(slot, text);
    switch (kind) {
      case ask.rows:
        return statement.single ? [say.cells, cell, statement.cells(values)] : [say.rows, cell, statement.rows(values)];
      case ask.run:
        return [say.count, cell, statement.run(values)];
      case ask.open:
        this.#stream.open(statement.iterate(values));
        return this.#batch(cell);
      default:
        return unreachable(kind);
    }
  }

  #plain([kind, cell]: PlainRequest): Reply {
    switch (kind) {
      case ask.next:
        return this.#batch(cell);
      case ask.end:
        this.#stream.end();
        return [say.last, cell, []];
      case ask.beginStructure:
        this.#transactions.begin(true);
        return [say.count, cell, 0];
      case ask.commit:
        this.#transactions.commit();
        return [say.count, cell, 0];
      case ask.rollback:
        this.#transactions.rollback();
        return [say.count, cell, 0];
      default:
        return unreachable(kind);
    }
  }

  #batch(cell: number): Reply {
    const batch = this.#stream.next();
    return [batch.last ? say.last : say.rows, cell, batch.rows];
  }
}

export function errorReply(cell: number, error: unknown): Reply {
  const [cause, part] = error instanceof PartFailure ? [error.cause, error.part] : [error];
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : cause instanceof Error ? cause.name : '';
  const message = cause instanceof Error ? cause.message : String(cause);
  return part === undefined ? [say.error, cell, code, message] : [say.error, cell, code, message, part];
}
