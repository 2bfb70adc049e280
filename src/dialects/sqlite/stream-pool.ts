// Streams, each on a reader of its own: an open cursor pins its connection to an old state of the data, so nobody else may read there.

import type { Row, Statement } from '../../core/vendor/driver.js';
import type { StopSignal } from '../../core/vendor/stop-signal.js';
import { createLock } from './lock.js';
import { replyToRows } from './reply-rows.js';
import { startTimer } from './timer.js';
import type { OnReply, WorkerClient } from './worker-client.js';
import { ask, flag, type Reply, say } from './worker-messages.js';

export interface StreamPool {
  stream(statement: Statement, signal?: StopSignal): AsyncGenerator<readonly Row[]>;
  close(graceMs: number): Promise<boolean>;
}

export interface StreamPoolOptions {
  readonly start: () => WorkerClient;
  readonly timeoutMs: number;
}

const maxStreams = 4;
const maxIdle = 1;
const idleMs = 30_000;

export function createStreamPool({ start, timeoutMs }: StreamPoolOptions): StreamPool {
  const places = createLock(maxStreams, timeoutMs);
  const idle: WorkerClient[] = [];
  const all = new Set<WorkerClient>();

  function take(): WorkerClient {
    const kept = idle.pop();
    if (kept !== undefined) return kept;
    const reader = start();
    all.add(reader);
    reader.onEnd(() => {
      all.delete(reader);
      const index = idle.indexOf(reader);
      if (index >= 0) idle.splice(index, 1);
    });
    return reader;
  }

  function putBack(reader: WorkerClient): void {
    if (idle.length >= maxIdle) {
      void reader.close(0);
      return;
    }
    idle.push(reader);
    setTimeout(() => {
      if (idle.includes(reader)) void reader.close(0);
    }, idleMs).unref();
  }

  /** One batch; the statement's time limit holds for each. */
  function nextBatch(reader: WorkerClient, send: (onReply: OnReply) => number, signal: StopSignal | undefined): Promise<Reply> {
    return new Promise((resolve) => {
      const cell = send((reply) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        resolve(reply);
      });
      const onAbort = (): void => reader.stop(cell, flag.cancelled);
      const timer = startTimer(() => reader.stop(cell, flag.timeout), timeoutMs);
      if (signal?.aborted === true) onAbort();
      else signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  async function* stream(statement: Statement, signal?: StopSignal): AsyncGenerator<readonly Row[]> {
    const release = await places.acquire(signal);
    const reader = take();
    let ahead: Promise<Reply> | null = nextBatch(reader, (onReply) => reader.sendStatement(ask.open, statement, onReply), signal);
    try {
      while (ahead !== null) {
        const reply: Reply = await ahead;
        const rows = replyToRows(reply);
        // One batch is made while the reader of the stream is busy with the last, never more.
        ahead = reply[0] === say.last ? null : nextBatch(reader, (onReply) => reader.sendPlain(ask.next, onReply), signal);
        if (rows.length > 0) yield rows;
      }
    } finally {
      reader.sendPlain(ask.end, () => {
        putBack(reader);
        release();
      });
    }
  }

  return {
    stream,
    close: async (graceMs) => (await Promise.all([...all].map((reader) => reader.close(graceMs)))).every(Boolean),
  };
}
