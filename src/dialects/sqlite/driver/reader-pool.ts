// The pool of readers. A read is sent to the least busy reader, or waits in a queue. A read whose caller has gone, or that takes too long, is
// rejected at once and its statement is interrupted; a reader that does not stop within a second is replaced, because nothing can stop a
// statement that never calls alive().

import { DatabaseError } from '../../../core/vendor/database-error.js';
import type { Row, Statement } from '../../../core/vendor/driver.js';
import type { StopSignal } from '../../../core/vendor/stop-signal.js';
import { errorCode } from './error-codes.js';
import { cancelledError } from './lock.js';
import { replyToRows } from './reply-rows.js';
import { startTimer } from './timer.js';
import { flag, type Reply, replyKind, requestKind, type StopFlag } from './worker/messages.js';
import type { OnReply, WorkerClient } from './worker-client.js';

export interface ReaderPoolOptions {
  readonly start: () => WorkerClient;
  readonly maxReaders: number;
  /** The maximal wait for a reader. */
  readonly waitMs: number;
  /** The maximal time from the call to the reply. */
  readonly timeoutMs: number;
}

/** How many reads a reader may have in flight: it starts the next without waiting for the main thread, which saves a quarter of a short read… */
const maxInFlight = 4;
/** …but nothing is sent to a reader whose current statement has been running for longer than this. */
const promptMs = 5;
const stuckAfterMs = 1_000;
const maxRetired = 4;

interface Read {
  readonly statement: Statement;
  readonly settle: OnReply;
  /** Where it runs; null until it is sent. */
  sent: { readonly reader: WorkerClient; readonly requestId: number } | null;
}

export class ReaderPool {
  readonly #options: ReaderPoolOptions;
  readonly #readers: WorkerClient[] = [];
  readonly #retired = new Set<WorkerClient>();
  readonly #queue = new Set<Read>();
  readonly #sent = new Set<Read>();

  constructor(options: ReaderPoolOptions) {
    this.#options = options;
    this.#add();
  }

  rows(statement: Statement, signal?: StopSignal): Promise<readonly Row[]> {
    if (signal?.aborted === true) return Promise.reject(cancelledError());
    return new Promise((resolve, reject) => {
      let waitTimer: NodeJS.Timeout | undefined;
      const cleanUp = (): void => {
        clearTimeout(timer);
        clearTimeout(waitTimer);
        signal?.removeEventListener('abort', onAbort);
      };
      const settle = (reply: Reply): void => {
        cleanUp();
        try {
          resolve(replyToRows(reply));
        } catch (error) {
          reject(error);
        }
      };
      const abandon = (reason: StopFlag): void => {
        cleanUp();
        this.#giveUp(read, reason);
        reject(reason === flag.timeout ? new DatabaseError('timeout', 'the statement took too long') : cancelledError());
      };
      const read: Read = { statement, sent: null, settle };
      const timer = startTimer(() => abandon(flag.timeout), this.#options.timeoutMs);
      const onAbort = (): void => abandon(flag.cancelled);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#queue.add(read);
      this.#advance();
      const stopWaiting = (): void => {
        if (!this.#queue.delete(read)) return;
        cleanUp();
        reject(new DatabaseError('unavailable', 'no reader of the database became free in time'));
      };
      // Most reads are sent immediately and need no second timer.
      if (read.sent === null) waitTimer = startTimer(stopWaiting, this.#options.waitMs);
    });
  }

  state(): { readonly busy: number; readonly waiting: number } {
    return { busy: this.#readers.filter((reader) => reader.inFlight() > 0).length, waiting: this.#queue.size };
  }

  async close(graceMs: number): Promise<boolean> {
    for (const read of this.#queue) read.settle([replyKind.error, -1, errorCode.lost, 'the database is being closed']);
    this.#queue.clear();
    const ends = await Promise.all([...this.#readers, ...this.#retired].map((reader) => reader.close(graceMs)));
    return ends.every(Boolean);
  }

  #add(): WorkerClient {
    const reader = this.#options.start();
    this.#readers.push(reader);
    reader.onEnd(() => this.#remove(reader));
    return reader;
  }

  #remove(reader: WorkerClient): void {
    this.#retired.delete(reader);
    const index = this.#readers.indexOf(reader);
    if (index >= 0) this.#readers.splice(index, 1);
  }

  #advance(): void {
    for (const read of this.#queue) {
      const reader = this.#chooseReader();
      if (reader === null) return;
      this.#queue.delete(read);
      this.#send(read, reader);
    }
  }

  #chooseReader(): WorkerClient | null {
    const startedAfter = performance.now() - promptMs;
    let best: WorkerClient | null = null;
    for (const reader of this.#readers) {
      const load = reader.inFlight();
      const takes = load === 0 || (load < maxInFlight && reader.busySince() > startedAfter);
      if (takes && (best === null || load < best.inFlight())) best = reader;
    }
    if (best?.inFlight() === 0 || this.#readers.length >= this.#options.maxReaders) return best;
    return this.#add();
  }

  #send(read: Read, reader: WorkerClient): void {
    const requestId = reader.sendStatement(requestKind.rows, read.statement, (reply) => {
      if (this.#retired.has(reader) && reader.inFlight() === 0) void reader.close(0);
      if (read.sent !== sent) return;
      read.sent = null;
      this.#sent.delete(read);
      if (this.#queue.size > 0) this.#advance();
      read.settle(reply);
    });
    const sent = { reader, requestId };
    read.sent = sent;
    this.#sent.add(read);
  }

  #giveUp(read: Read, reason: StopFlag): void {
    this.#sent.delete(read);
    if (this.#queue.delete(read) || read.sent === null) return;
    const { reader, requestId } = read.sent;
    reader.stop(requestId, reason);
    // A reader that is still starting is slow, not stuck.
    const retireIfStuck = (): void => {
      if (read.sent === null) return;
      if (reader.isOpen()) this.#retire(reader);
      else setTimeout(retireIfStuck, stuckAfterMs).unref();
    };
    setTimeout(retireIfStuck, stuckAfterMs).unref();
  }

  #retire(reader: WorkerClient): void {
    if (!this.#readers.includes(reader) || this.#retired.size >= maxRetired) return;
    this.#remove(reader);
    this.#retired.add(reader);
    for (const read of this.#sent) this.#sendAgain(read, reader);
    this.#advance();
  }

  /** Puts a read that was sent after the stuck statement back into the queue. */
  #sendAgain(read: Read, lost: WorkerClient): void {
    if (read.sent?.reader !== lost) return;
    lost.stop(read.sent.requestId, flag.cancelled);
    read.sent = null;
    this.#sent.delete(read);
    this.#queue.add(read);
  }
}
