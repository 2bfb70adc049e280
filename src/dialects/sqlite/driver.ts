// The Driver of SQLite: writes to the one writer, reads to the readers, cheap reads on this thread, streams to readers of their own.

import { availableParallelism } from 'node:os';
import { DatabaseError } from '../../core/vendor/database-error.js';
import type { Driver, Row, Statement } from '../../core/vendor/driver.js';
import type { StopSignal } from '../../core/vendor/stop-signal.js';
import { openConnection } from './connection.js';
import { toDatabaseError } from './errors.js';
import { checkForeignKeys } from './foreign-key-check.js';
import { createLocalReader } from './local-reader.js';
import { ReaderPool } from './reader-pool.js';
import { createStreamPool } from './stream-pool.js';
import { startWorker, type WorkerClient } from './worker-client.js';
import { say } from './worker-messages.js';
import { createWriter } from './writer.js';

export interface DriverOptions {
  readonly file: string;
  readonly statementTimeoutMs: number;
  /** What each reader maps into memory. */
  readonly mapBytes: number;
}

const busyTimeoutMs = 5_000;
const closeGraceMs = 2_000;
const maxReaders = Math.min(2, availableParallelism());

export async function openDriver({ file, statementTimeoutMs, mapBytes }: DriverOptions): Promise<Driver> {
  const timeoutMs = statementTimeoutMs;
  // What a thread tells is never newer than what is read here after it.
  const renew = (): void => local.renew();
  const start = (role: 'writer' | 'reader' | 'stream') => (): WorkerClient => startWorker({ file, role, mapBytes, busyTimeoutMs }, renew);
  const writerWorker = await waitUntilOpen(start('writer')());
  const local = createLocalReader(() => openConnection({ file, role: 'reader', mapBytes, busyTimeoutMs: 0, checkAlive: () => undefined }));
  const readers = new ReaderPool({ start: start('reader'), maxReaders, timeoutMs });
  const streams = createStreamPool({ start: start('stream'), timeoutMs });
  let statements = 0;
  let closed = false;
  const count = (): void => {
    statements += 1;
  };
  const writer = createWriter({
    worker: writerWorker,
    timeoutMs,
    countStatement: count,
    checkForeignKeys: (connection) => checkForeignKeys(connection, readers),
  });

  function requireOpen(): void {
    if (closed) throw new DatabaseError('unavailable', 'the database is closed');
  }

  async function rows(statement: Statement, signal?: StopSignal): Promise<readonly Row[]> {
    requireOpen();
    if (!isRead(statement.text)) return writer.rows(statement, signal);
    count();
    const near = statement.cheap === true ? local.rows(statement) : null;
    return near ?? readers.rows(statement, signal);
  }

  function rowsAtOnce(statement: Statement): readonly Row[] | null {
    requireOpen();
    const near = local.first(statement);
    if (near !== null) count();
    return near;
  }

  return {
    rows,
    rowsAtOnce,
    async run(statement, signal) {
      requireOpen();
      return writer.run(statement, signal);
    },
    stream(statement, signal) {
      requireOpen();
      count();
      return streams.stream(statement, signal);
    },
    async transaction(work, options) {
      requireOpen();
      return writer.transaction(work, options);
    },
    async version() {
      const [row] = await rows({ text: 'SELECT sqlite_version()', values: [] });
      return String(row?.[0]);
    },
    pool() {
      const [reading, writing] = [readers.state(), writer.state()];
      const size = maxReaders + 1;
      return { size, idle: size - reading.busy - writing.busy, waiting: reading.waiting + writing.waiting };
    },
    statements: () => statements,
    async close() {
      if (closed) return;
      closed = true;
      local.close();
      const ended = await Promise.all([readers.close(closeGraceMs), streams.close(closeGraceMs)]);
      // Last, so that it is the connection that folds the log back into the file.
      ended.push(await writer.close(closeGraceMs));
      if (!ended.every(Boolean)) killAtExit();
    },
  };
}

/** Reads on a connection that cannot write; whatever might write goes to the writer. */
function isRead(text: string): boolean {
  const first = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase();
  if (first === 'WITH') return !/\b(insert|update|delete|replace)\b/i.test(text);
  return first === 'SELECT' || first === 'VALUES' || first === 'EXPLAIN';
}

async function waitUntilOpen(worker: WorkerClient): Promise<WorkerClient> {
  const reply = await worker.opened;
  if (reply[0] === say.error) throw toDatabaseError(reply[2], reply[3]);
  return worker;
}

/** A thread in a statement that nothing can stop would hold up the end of the process for as long as it runs. WAL makes the kill safe. */
function killAtExit(): void {
  process.once('exit', () => process.kill(process.pid, 'SIGKILL'));
}
