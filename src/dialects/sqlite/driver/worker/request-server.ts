// Handles the requests of the main thread on the worker's connection, one after the other. Whole transactions that wait together share one
// commit.

import { unreachable } from '../../../../core/errors/service-error.js';
import type { SqliteConnection } from '../connection.js';
import { createStream } from './batch-stream.js';
import {
  type ExchangeRequest,
  type PlainRequest,
  place,
  type Reply,
  type Request,
  replyKind,
  requestKind,
  type StatementRequest,
} from './messages.js';
import { PartFailure, runParts } from './run-parts.js';
import { PreparedStatements } from './statement-slots.js';
import { Transactions } from './transactions.js';

export type ServedRequest = Exclude<Request, readonly [typeof requestKind.close]>;

export class RequestServer {
  readonly #connection: SqliteConnection;
  /** Called with the id of each request before it is handled. */
  readonly #begin: (requestId: number) => void;
  readonly #checkAlive: () => void;
  readonly #statements: PreparedStatements;
  readonly #transactions: Transactions;
  readonly #stream;

  constructor(connection: SqliteConnection, begin: (requestId: number) => void, checkAlive: () => void) {
    this.#connection = connection;
    this.#begin = begin;
    this.#checkAlive = checkAlive;
    this.#statements = new PreparedStatements(connection);
    this.#transactions = new Transactions(connection);
    this.#stream = createStream(checkAlive);
  }

  serve(request: ServedRequest): Reply {
    try {
      this.#prepare(request);
      if (request[0] === requestKind.exchange) return this.#exchange(request);
      return request.length === 2 ? this.#plain(request) : this.#statement(request);
    } catch (error) {
      this.#stream.end();
      return errorReply(request[1], error);
    }
  }

  /** Handles requests that are whole transactions. */
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
    this.#statements.store(request);
    // A transaction or stream must be ended even if its caller has gone.
    if (request[0] !== requestKind.rollback && request[0] !== requestKind.end) this.#checkAlive();
  }

  #exchange(request: ExchangeRequest): Reply {
    const [, , at] = request;
    if (at === place.only) return this.#transactions.alone(() => this.#run(request));
    if (at === place.first) this.#transactions.begin(false);
    if (at === place.recovery) this.#transactions.recover();
    const answered = this.#transactions.inside(() => this.#run(request));
    if (at === place.last) this.#transactions.commit();
    return answered;
  }

  #prepareAndRun(request: ExchangeRequest): Reply {
    this.#prepare(request);
    return this.#run(request);
  }

  #run([, requestId, , parts]: ExchangeRequest): Reply {
    return [replyKind.exchange, requestId, runParts(parts, (slot, text) => this.#statements.findAgain(slot, text))];
  }

  #statement([kind, requestId, sent]: StatementRequest): Reply {
    const [slot, text, values] = sent;
    const statement = this.#statements.find(slot, text);
    switch (kind) {
      case requestKind.rows:
        return statement.single
          ? [replyKind.cells, requestId, statement.cells(values)]
          : [replyKind.rows, requestId, statement.rows(values)];
      case requestKind.run:
        return [replyKind.count, requestId, statement.run(values)];
      case requestKind.open:
        this.#stream.open(statement.iterate(values));
        return this.#batch(requestId);
      default:
        return unreachable(kind);
    }
  }

  #plain([kind, requestId]: PlainRequest): Reply {
    switch (kind) {
      case requestKind.next:
        return this.#batch(requestId);
      case requestKind.end:
        this.#stream.end();
        return [replyKind.last, requestId, []];
      case requestKind.beginStructure:
        this.#transactions.begin(true);
        return [replyKind.count, requestId, 0];
      case requestKind.commit:
        this.#transactions.commit();
        return [replyKind.count, requestId, 0];
      case requestKind.rollback:
        this.#transactions.rollback();
        return [replyKind.count, requestId, 0];
      default:
        return unreachable(kind);
    }
  }

  #batch(requestId: number): Reply {
    const batch = this.#stream.next();
    return [batch.last ? replyKind.last : replyKind.rows, requestId, batch.rows];
  }
}

export function errorReply(requestId: number, error: unknown): Reply {
  const [cause, part] = error instanceof PartFailure ? [error.cause, error.part] : [error];
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : cause instanceof Error ? cause.name : '';
  const message = cause instanceof Error ? cause.message : String(cause);
  return part === undefined ? [replyKind.error, requestId, code, message] : [replyKind.error, requestId, code, message, part];
}
