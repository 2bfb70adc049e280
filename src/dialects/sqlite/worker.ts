// The thread that holds one connection and answers the main thread's requests in their order.

import { parentPort, workerData } from 'node:worker_threads';
import { unreachable } from '../../core/errors/service-error.js';
import { openConnection, type SqliteConnection, type SqliteStatement } from './connection.js';
import { ownCode } from './own-code.js';
import { PartFailure, runParts } from './run-parts.js';
import {
  ask,
  type ExchangeRequest,
  flag,
  type PlainRequest,
  place,
  type Reply,
  type Request,
  type SentStatement,
  type StatementRequest,
  say,
  type WorkerSettings,
} from './worker-messages.js';
import { type BatchStream, createStream } from './worker-stream.js';
import { createTransactions } from './worker-transactions.js';

if (parentPort === null) throw new Error('worker.ts runs as a worker only');
const port = parentPort;
const settings = workerData as WorkerSettings;
const slots: { readonly text: string; statement: SqliteStatement | null }[] = [];
let current = 0;

class Stopped extends Error {
  readonly code: string;

  constructor(reason: number) {
    super(reason === flag.timeout ? 'the statement took too long' : 'the statement was cancelled');
    this.code = reason === flag.timeout ? ownCode.timeout : ownCode.cancelled;
  }
}

const reply = (message: Reply): void => port.postMessage(message);

function checkAlive(): void {
  const reason = Atomics.load(settings.flags, current);
  if (reason !== flag.go) throw new Stopped(reason);
}

function replyError(cell: number, error: unknown): void {
  const [cause, part] = error instanceof PartFailure ? [error.cause, error.part] : [error];
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : cause instanceof Error ? cause.name : '';
  const message = cause instanceof Error ? cause.message : String(cause);
  reply(part === undefined ? [say.error, cell, code, message] : [say.error, cell, code, message, part]);
}

function serve(connection: SqliteConnection): void {
  const transactions = createTransactions(connection);
  const stream = createStream(checkAlive);

  port.on('message', (request: Request) => {
    if (request[0] === ask.close) {
      stream.end();
      connection.close();
      port.close();
      return;
    }
    current = request[1];
    try {
      keepTexts(request);
      // A transaction must be brought to its end whether its caller is still there or not.
      if (request[0] !== ask.rollback && request[0] !== ask.end) checkAlive();
      reply(answer(request));
    } catch (error) {
      stream.end();
      replyError(request[1], error);
    }
  });

  function answer(request: Exclude<Request, readonly [typeof ask.close]>): Reply {
    if (request[0] === ask.exchange) return answerExchange(request);
    return request.length === 2 ? answerPlain(request) : answerStatement(request);
  }

  function answerExchange([, cell, at, parts]: ExchangeRequest): Reply {
    const act = (): Reply => [say.exchange, cell, runParts(parts, (statement) => findStatement(connection, statement))];
    if (at === place.only) return transactions.alone(act);
    if (at === place.first) transactions.begin(false);
    const answered = transactions.inside(act);
    if (at === place.last) transactions.commit();
    return answered;
  }

  function answerStatement([kind, cell, sent]: StatementRequest): Reply {
    const statement = findStatement(connection, sent);
    const [, , values] = sent;
    switch (kind) {
      case ask.rows:
        return statement.single ? [say.cells, cell, statement.cells(values)] : [say.rows, cell, statement.rows(values)];
      case ask.run:
        return [say.count, cell, statement.run(values)];
      case ask.open:
        stream.open(statement.iterate(values));
        return sendBatch(stream, cell);
      default:
        return unreachable(kind);
    }
  }

  function answerPlain([kind, cell]: PlainRequest): Reply {
    switch (kind) {
      case ask.next:
        return sendBatch(stream, cell);
      case ask.end:
        stream.end();
        return [say.last, cell, []];
      case ask.beginStructure:
        transactions.begin(true);
        return [say.count, cell, 0];
      case ask.commit:
        transactions.commit();
        return [say.count, cell, 0];
      case ask.rollback:
        transactions.rollback();
        return [say.count, cell, 0];
      default:
        return unreachable(kind);
    }
  }
}

function sendBatch(stream: BatchStream, cell: number): Reply {
  const batch = stream.next();
  return [batch.last ? say.last : say.rows, cell, batch.rows];
}

/** Also of what will not run: the main thread counts on the worker having it. */
function keepTexts(request: Request): void {
  if (request[0] === ask.exchange) for (const part of request[3]) keepText(part.statement);
  else if (request.length === 3) keepText(request[2]);
}

function keepText([slot, text]: SentStatement): void {
  if (slot >= 0 && text !== null) slots[slot] = { text, statement: null };
}

function findStatement(connection: SqliteConnection, [slot, text]: SentStatement): SqliteStatement {
  if (slot < 0) return connection.prepare(text ?? '');
  const kept = slots[slot];
  if (kept === undefined) throw new Error(`no statement in slot ${slot}`);
  kept.statement ??= connection.prepare(kept.text);
  return kept.statement;
}

try {
  serve(openConnection({ ...settings, checkAlive }));
  reply([say.ready, -1]);
} catch (error) {
  replyError(-1, error);
}
