// Reads go to the reader with the least to do. Whoever has gone, or waited too long, is dropped from the line; a reader that does not
// come back from such a read is replaced, because nothing can stop a statement that never asks alive().

import { DatabaseError } from '../../core/vendor/database-error.js';
import type { Row, Statement } from '../../core/vendor/driver.js';
import type { StopSignal } from '../../core/vendor/stop-signal.js';
import { cancelledError } from './lock.js';
import { ownCode } from './own-code.js';
import { replyToRows } from './reply-rows.js';
import { startTimer } from './timer.js';
import type { OnReply, WorkerClient } from './worker-client.js';
import { ask, flag, type Reply, type StopFlag, say } from './worker-messages.js';

export interface ReaderPoolOptions {
  readonly start: () => WorkerClient;
  readonly maxReaders: number;
  readonly timeoutMs: number;
}

/** Reads sent ahead to a reader, so that the next begins without a way through the main thread (a quarter of a short read's time)… */
const sentAhead = 4;
/** …but none behind a statement that has been running for longer than this. */
const promptMs = 5;
const stuckAfterMs = 1_000;
const maxRetired = 4;

interface Read {
  readonly statement: Statement;
  readonly settle: OnReply;
  /** Where it runs, once it has been sent. */
  sent: { readonly reader: WorkerClient; readonly cell: number } | null;
}

export class ReaderPool {
  readonly #options: ReaderPoolOptions;
  readonly #readers: WorkerClient[] = [];
  readonly #retired = new Set<WorkerClient>();
  readonly #line = new Set<Read>();
  readonly #sent = new Set<Read>();

  constructor(options: ReaderPoolOptions) {
    this.#options = options;
    this.#add();
  }

  rows(statement: Statement, signal?: StopSignal): Promise<readonly Row[]> {
    if (signal?.aborted === true) return Promise.reject(cancelledError());
    return new Promise((resolve, reject) => {
      const forget = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const settle = (reply: Reply): void => {
        forget();
        try {
          resolve(replyToRows(reply));
        } catch (error) {
          reject(error);
        }
      };
      const leave = (reason: StopFlag): void => {
        forget();
        this.#giveUp(read, reason);
        reject(reason === flag.timeout ? new DatabaseError('timeout', 'the statement took too long') : cancelledError());
      };
      const read: Read = { statement, sent: null, settle };
      const timer = startTimer(() => leave(flag.timeout), this.#options.timeoutMs);
      const onAbort = (): void => leave(flag.cancelled);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#line.add(read);
      this.#advance();
    });
  }

  state(): { readonly busy: number; readonly waiting: number } {
    return { busy: this.#readers.filter((reader) => reader.inFlight() > 0).length, waiting: this.#line.size };
  }

  async close(graceMs: number): Promise<boolean> {
    for (const read of this.#line) read.settle([say.error, -1, ownCode.lost, 'the database is being closed']);
    this.#line.clear();
    const ends = await Promise.all([...this.#readers, ...this.#retired].map((reader) => reader.close(graceMs)));
    return ends.every(Boolean);
  }

  #add(): WorkerClient {
    const reader = this.#options.start();
    this.#readers.push(reader);
    reader.onEnd(() => this.#forget(reader));
    return reader;
  }

  #forget(reader: WorkerClient): void {
    this.#retired.delete(reader);
    const index = this.#readers.indexOf(reader);
    if (index >= 0) this.#readers.splice(index, 1);
  }

  #advance(): void {
    for (const read of this.#line) {
      const reader = this.#chooseReader();
      if (reader === null) return;
      this.#line.delete(read);
      this.#send(read, reader);
    }
  }

  #chooseReader(): WorkerClient | null {
    const late = performance.now() - promptMs;
    let best: WorkerClient | null = null;
    for (const reader of this.#readers) {
      const load = reader.inFlight();
      const takes = load === 0 || (load < sentAhead && reader.busySince() > late);
      if (takes && (best === null || load < best.inFlight())) best = reader;
    }
    if (best?.inFlight() === 0 || this.#readers.length >= this.#options.maxReaders) return best;
    return this.#add();
  }

  #send(read: Read, reader: WorkerClient): void {
    const cell = reader.sendStatement(ask.rows, read.statement, (reply) => {
      if (this.#retired.has(reader) && reader.inFlight() === 0) void reader.close(0);
      if (read.sent !== sent) return;
      read.sent = null;
      this.#sent.delete(read);
      if (this.#line.size > 0) this.#advance();
      read.settle(reply);
    });
    const sent = { reader, cell };
    read.sent = sent;
    this.#sent.add(read);
  }

  #giveUp(read: Read, reason: StopFlag): void {
    this.#sent.delete(read);
    if (this.#line.delete(read) || read.sent === null) return;
    const { reader, cell } = read.sent;
    reader.stop(cell, reason);
    // A reader that is still being started is slow, not stuck.
    const retireIfStuck = (): void => {
      if (read.sent === null) return;
      if (reader.isOpen()) this.#retire(reader);
      else setTimeout(retireIfStuck, stuckAfterMs).unref();
    };
    setTimeout(retireIfStuck, stuckAfterMs).unref();
  }

  #retire(reader: WorkerClient): void {
    if (!this.#readers.includes(reader) || this.#retired.size >= maxRetired) return;
    this.#forget(reader);
    this.#retired.add(reader);
    for (const read of this.#sent) this.#sendAgain(read, reader);
    this.#advance();
  }

  /** What was sent behind the stuck statement goes back into the line. */
  #sendAgain(read: Read, lost: WorkerClient): void {
    if (read.sent?.reader !== lost) return;
    lost.stop(read.sent.cell, flag.cancelled);
    read.sent = null;
    this.#sent.delete(read);
    this.#line.add(read);
  }
}
