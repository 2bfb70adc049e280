// The one connection that writes. A transaction owns it until its end; single statements take their turn between transactions.

import type { Connection, Statement, TransactionOptions } from '../../core/vendor/driver.js';
import type { StopSignal } from '../../core/vendor/stop-signal.js';
import { toDatabaseError } from './errors.js';
import { createLock } from './lock.js';
import { replyToCount, replyToRows } from './reply-rows.js';
import { startTimer } from './timer.js';
import { failureOf, type SendExchange, TransactionConnection } from './transaction-connection.js';
import type { OnReply, WorkerClient } from './worker-client.js';
import { ask, flag, type PlainRequest, type Reply, type StatementRequest, say } from './worker-messages.js';

export interface Writer extends Connection {
  transaction<T>(work: (connection: Connection) => Promise<T>, options?: TransactionOptions): Promise<T>;
  readonly state: () => { readonly busy: number; readonly waiting: number };
  close(graceMs: number): Promise<boolean>;
}

export interface WriterOptions {
  readonly worker: WorkerClient;
  readonly timeoutMs: number;
  /** Called inside a structural transaction, before its commit: rejects when foreign keys no longer hold. */
  readonly checkForeignKeys: (connection: Connection) => Promise<void>;
  readonly countStatement: () => void;
}

/** Enough for the worker to commit many at a time, few enough to leave room for others. */
const mostPassed = 24;

export function createWriter({ worker, timeoutMs, checkForeignKeys, countStatement }: WriterOptions): Writer {
  const turn = createLock(1, timeoutMs);

  /** Waits for the worker's own answer even when the caller has gone: whether a write happened must be known. */
  function question(send: (onReply: OnReply) => number, signal?: StopSignal): Promise<Reply> {
    return new Promise((resolve) => {
      const cell = send((reply) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        resolve(reply);
      });
      const onAbort = (): void => worker.stop(cell, flag.cancelled);
      const timer = startTimer(() => worker.stop(cell, flag.timeout), timeoutMs);
      if (signal?.aborted === true) onAbort();
      else signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  const single = (kind: StatementRequest[0], statement: Statement, signal?: StopSignal): Promise<Reply> => {
    countStatement();
    return question((onReply) => worker.sendStatement(kind, statement, onReply), signal);
  };

  const send: SendExchange = async (at, parts, signal) => {
    for (const _ of parts) countStatement();
    const reply = await question((onReply) => worker.sendExchange(at, parts, onReply), signal);
    if (reply[0] === say.error) throw failureOf(parts.length, toDatabaseError(reply[2], reply[3]), reply[4]);
    return reply[0] === say.exchange ? reply[2] : [];
  };

  /** `pass` lets the next one have its turn already: the worker answers in the order of the requests. */
  async function inTurn<T>(work: (pass: () => void) => Promise<T>, signal?: StopSignal): Promise<T> {
    const release = await turn.acquire(signal);
    const pass = (): void => {
      if (worker.inFlight() < mostPassed) release();
    };
    try {
      return await work(pass);
    } finally {
      release();
    }
  }

  const control = async (kind: PlainRequest[0]): Promise<void> => {
    replyToCount(await question((onReply) => worker.sendPlain(kind, onReply)));
  };

  async function runTransaction<T>(work: (connection: Connection) => Promise<T>, structure: boolean, pass: () => void): Promise<T> {
    if (structure) await control(ask.beginStructure);
    const connection = new TransactionConnection(send, structure ? 'open' : 'unopened', pass);
    try {
      const result = await work(connection);
      if (structure) await checkForeignKeys(connection);
      if (connection.end() === 'open') await control(ask.commit);
      return result;
    } catch (error) {
      if (connection.end() === 'open') await question((onReply) => worker.sendPlain(ask.rollback, onReply));
      throw error;
    }
  }

  return {
    rows: (statement, signal) => inTurn(async () => replyToRows(await single(ask.rows, statement, signal)), signal),
    run: (statement, signal) => inTurn(async () => replyToCount(await single(ask.run, statement, signal)), signal),
    transaction: (work, options = {}) => inTurn((pass) => runTransaction(work, options.structure === true, pass)),
    state: () => ({ busy: turn.held(), waiting: turn.waiting() }),
    close: async (graceMs) => worker.close(graceMs),
  };
}
