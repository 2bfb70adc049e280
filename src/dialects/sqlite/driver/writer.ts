// The one connection that writes. Transactions and single statements take turns. If the worker ends unexpectedly, the statements in flight fail
// and the next turn starts a new worker.

import type { Connection, Statement, TransactionOptions } from '../../../core/vendor/driver.js';
import type { StopSignal } from '../../../core/vendor/stop-signal.js';
import { toDatabaseError } from './errors.js';
import { createLock } from './lock.js';
import { replyToCount, replyToRows } from './reply-rows.js';
import { startTimer } from './timer.js';
import { failureOf, type SendExchange, TransactionConnection } from './transaction-connection.js';
import { flag, type PlainRequest, type Reply, replyKind, requestKind, type StatementRequest } from './worker/messages.js';
import type { OnReply, WorkerClient } from './worker-client.js';

export interface Writer extends Connection {
  transaction<T>(work: (connection: Connection) => Promise<T>, options?: TransactionOptions): Promise<T>;
  readonly state: () => { readonly busy: number; readonly waiting: number };
  close(graceMs: number): Promise<boolean>;
}

export interface WriterOptions {
  /** Resolves when the worker has opened the database. */
  readonly start: () => Promise<WorkerClient>;
  /** The maximal wait for a turn. */
  readonly waitMs: number;
  readonly timeoutMs: number;
  /** Called in a structural transaction before its commit. Rejects if these statements have violated foreign keys. */
  readonly checkForeignKeys: (connection: Connection, texts: readonly string[]) => Promise<void>;
  readonly countStatement: () => void;
}

/** How many requests may be in flight when the turn is passed on early: enough to commit many together, and well below the limit of a worker. */
const maxPassed = 24;

export async function createWriter({ start, waitMs, timeoutMs, checkForeignKeys, countStatement }: WriterOptions): Promise<Writer> {
  const turn = createLock(waitMs);
  let lost = false;
  let closed = false;
  let worker = await startWriter();

  async function startWriter(): Promise<WorkerClient> {
    const started = await start();
    lost = false;
    started.onEnd(() => {
      lost = true;
    });
    return started;
  }

  /** Waits for the reply even if the caller has gone, because it must be known whether the write happened. */
  function request(send: (onReply: OnReply) => number, signal?: StopSignal): Promise<Reply> {
    return new Promise((resolve) => {
      const requestId = send((reply) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        resolve(reply);
      });
      const onAbort = (): void => worker.stop(requestId, flag.cancelled);
      const timer = startTimer(() => worker.stop(requestId, flag.timeout), timeoutMs);
      if (signal?.aborted === true) onAbort();
      else signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  const single = (kind: StatementRequest[0], statement: Statement, signal?: StopSignal): Promise<Reply> => {
    countStatement();
    return request((onReply) => worker.sendStatement(kind, statement, onReply), signal);
  };

  const send: SendExchange = async (at, parts, signal) => {
    for (const _ of parts) countStatement();
    const reply = await request((onReply) => worker.sendExchange(at, parts, onReply), signal);
    if (reply[0] === replyKind.error) throw failureOf(parts.length, toDatabaseError(reply[2], reply[3]), reply[4]);
    return reply[0] === replyKind.exchange ? reply[2] : [];
  };

  /** `pass` lets the next transaction start before this one is answered: the worker handles requests in their order. */
  async function inTurn<T>(work: (pass: () => void) => Promise<T>, signal?: StopSignal): Promise<T> {
    const release = await turn.acquire(signal);
    const pass = (): void => {
      if (worker.inFlight() < maxPassed) release();
    };
    try {
      if (lost && !closed) worker = await startWriter();
      return await work(pass);
    } finally {
      release();
    }
  }

  const control = async (kind: PlainRequest[0]): Promise<void> => {
    replyToCount(await request((onReply) => worker.sendPlain(kind, onReply)));
  };

  async function runTransaction<T>(work: (connection: Connection) => Promise<T>, structure: boolean, pass: () => void): Promise<T> {
    if (structure) await control(requestKind.beginStructure);
    // Rows that are stored in bulk come by the same text again and again.
    const texts = new Set<string>();
    const sendNoted: SendExchange = (at, parts, signal) => {
      for (const { statement } of parts) texts.add(statement.text);
      return send(at, parts, signal);
    };
    const connection = new TransactionConnection(structure ? sendNoted : send, structure ? 'open' : 'unopened', pass);
    try {
      const result = await work(connection);
      if (structure) await checkForeignKeys(connection, [...texts]);
      if (connection.end() === 'open') await control(requestKind.commit);
      return result;
    } catch (error) {
      if (connection.end() === 'open') await request((onReply) => worker.sendPlain(requestKind.rollback, onReply));
      throw error;
    }
  }

  return {
    rows: (statement, signal) => inTurn(async () => replyToRows(await single(requestKind.rows, statement, signal)), signal),
    run: (statement, signal) => inTurn(async () => replyToCount(await single(requestKind.run, statement, signal)), signal),
    transaction: (work, options = {}) => inTurn((pass) => runTransaction(work, options.structure === true, pass)),
    state: () => ({ busy: turn.isHeld() ? 1 : 0, waiting: turn.waiting() }),
    close(graceMs) {
      closed = true;
      return worker.close(graceMs);
    },
  };
}
