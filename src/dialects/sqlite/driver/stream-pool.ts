// The pool of readers for streams. Each stream has a reader to itself, because an open cursor holds its connection at an old snapshot.

import { ConnectionPool } from '../../../core/vendor/connection-pool.js';
import { DatabaseError } from '../../../core/vendor/database-error.js';
import type { Row, Statement } from '../../../core/vendor/driver.js';
import type { StopSignal } from '../../../core/vendor/stop-signal.js';
import type { SnapshotReading } from '../../../core/vendor/transfer.js';
import { cancelledError } from './lock.js';
import { replyToRows } from './reply-rows.js';
import { readSnapshot } from './snapshot.js';
import { startTimer } from './timer.js';
import { flag, type Reply, replyKind, requestKind, type StopFlag } from './worker/messages.js';
import type { OnReply, WorkerClient } from './worker-client.js';

export interface StreamPool {
  stream(statement: Statement, signal?: StopSignal): AsyncGenerator<readonly Row[]>;
  snapshot<T>(work: (reading: SnapshotReading) => Promise<T>): Promise<T>;
  close(graceMs: number): Promise<boolean>;
}

export interface StreamPoolOptions {
  readonly start: () => WorkerClient;
  /** The maximal wait for a reader. */
  readonly waitMs: number;
  /** The maximal time for one batch. */
  readonly timeoutMs: number;
}

const maxStreams = 4;
const maxIdle = 1;
const maxIdleMs = 30_000;
/** A reader that does not stop within this time may be replaced… */
const stuckAfterMs = 1_000;
/** …unless this many replaced readers are still running. */
const maxStuck = 4;

export function createStreamPool({ start, waitMs, timeoutMs }: StreamPoolOptions): StreamPool {
  const all = new Set<WorkerClient>();
  const readers = new ConnectionPool<WorkerClient>({
    max: maxStreams,
    maxIdle,
    maxIdleMs,
    maxWaitMs: waitMs,
    open: async () => openReader(),
    close: (reader) => reader.close(0),
    isStuck: () => false,
  });

  function openReader(): WorkerClient {
    const reader = start();
    all.add(reader);
    reader.onEnd(() => {
      all.delete(reader);
      readers.drop(reader);
    });
    return reader;
  }

  /** Requests one batch. The time limit applies to each batch. */
  function nextBatch(reader: WorkerClient, send: (onReply: OnReply) => number, signal: StopSignal | undefined): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const cleanUp = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const requestId = send((reply) => {
        cleanUp();
        resolve(reply);
      });
      const abandon = (reason: StopFlag): void => {
        cleanUp();
        reader.stop(requestId, reason);
        reject(reason === flag.timeout ? new DatabaseError('timeout', 'the statement took too long') : cancelledError());
      };
      const onAbort = (): void => abandon(flag.cancelled);
      const timer = startTimer(() => abandon(flag.timeout), timeoutMs);
      if (signal?.aborted === true) onAbort();
      else signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** Ends the cursor, and returns the reader to the pool when it confirms. */
  function finish(reader: WorkerClient): void {
    const giveUp = (): void => {
      if (all.size <= maxStreams + maxStuck) readers.drop(reader);
      else timer = setTimeout(giveUp, stuckAfterMs).unref();
    };
    let timer = setTimeout(giveUp, stuckAfterMs).unref();
    reader.sendPlain(requestKind.end, (reply) => {
      clearTimeout(timer);
      if (reply[0] === replyKind.error) readers.drop(reader);
      else readers.give(reader);
    });
  }

  async function* stream(statement: Statement, signal?: StopSignal): AsyncGenerator<readonly Row[]> {
    const reader = await readers.take([], signal);
    try {
      let next: Promise<Reply> | null = nextBatch(reader, (onReply) => reader.sendStatement(requestKind.open, statement, onReply), signal);
      while (next !== null) {
        const reply: Reply = await next;
        const rows = replyToRows(reply);
        // Request the next batch while the consumer handles this one, and no more than that.
        next = reply[0] === replyKind.last ? null : nextBatch(reader, (onReply) => reader.sendPlain(requestKind.next, onReply), signal);
        // If the consumer stops here, a failure of the next batch is of no interest.
        next?.catch(() => undefined);
        if (rows.length > 0) yield rows;
      }
    } finally {
      finish(reader);
    }
  }

  return {
    stream,
    snapshot: async (work) => {
      const reader = await readers.take([]);
      return readSnapshot(reader, work).finally(() => finish(reader));
    },
    async close(graceMs) {
      void readers.close();
      return (await Promise.all([...all].map((reader) => reader.close(graceMs)))).every(Boolean);
    },
  };
}
