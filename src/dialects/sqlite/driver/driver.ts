// The Driver port of SQLite. SQLite is a library that blocks its thread, so statements run in workers: writes in one writer, reads in a pool of
// readers, and each stream in a reader of its own. Reads marked as cheap run on the main thread, because a message to a worker and back costs
// more than they do.

import { availableParallelism } from 'node:os';
import { DatabaseError } from '../../../core/vendor/database-error.js';
import type { Deadlines, JournalChoice } from '../../../core/vendor/dialect.js';
import type { Driver, Row, Statement } from '../../../core/vendor/driver.js';
import type { StopSignal } from '../../../core/vendor/stop-signal.js';
import type { Transfer } from '../../../core/vendor/transfer.js';
import { type ConnectionRole, openConnection } from './connection.js';
import { toDatabaseError } from './errors.js';
import { checkForeignKeys } from './foreign-key-check.js';
import { createLocalReader } from './local-reader.js';
import { ReaderPool } from './reader-pool.js';
import { createStreamPool, type StreamPool } from './stream-pool.js';
import { replyKind } from './worker/messages.js';
import { startWorker, type WorkerClient } from './worker-client.js';
import { createWriter, type Writer } from './writer.js';

export interface DriverOptions {
  readonly file: string;
  readonly statementTimeoutMs: number;
  readonly deadlines: Deadlines;
  /** The number of bytes of the file that each reader maps into memory. */
  readonly mapBytes: number;
  readonly journal: JournalChoice;
  /** No connection can write, and the file has to exist. */
  readonly readOnly: boolean;
}

const busyTimeoutMs = 5_000;
const closeGraceMs = 2_000;
const maxReaders = Math.min(2, availableParallelism());

export interface SqliteDriver extends Driver {
  readonly snapshot: Transfer['snapshot'];
}

export async function openDriver(options: DriverOptions): Promise<SqliteDriver> {
  const { file, mapBytes, journal } = options;
  // Later reads on this thread must not see an older state than a worker that has replied.
  const onReply = (): void => local.renew();
  const { writer, readers, streams } = await openWorkers(options, { onReply, onWrite: () => count() });
  const localOptions = { file, role: 'reader', mapBytes, journal, busyTimeoutMs: 0, checkAlive: () => undefined } as const;
  const local = createLocalReader(() => openConnection(localOptions));
  let statements = 0;
  let closed = false;
  const count = (): void => {
    statements += 1;
  };

  function requireOpen(): void {
    if (closed) throw new DatabaseError('unavailable', 'the database is closed');
  }

  async function rows(statement: Statement, signal?: StopSignal): Promise<readonly Row[]> {
    requireOpen();
    // Reads go to connections that cannot write.
    if (statement.kind !== 'read') return writer.rows(statement, signal);
    count();
    const found = statement.cheap === true ? local.rows(statement) : null;
    return found ?? readers.rows(statement, signal);
  }

  function rowsAtOnce(statement: Statement): readonly Row[] | null {
    requireOpen();
    const found = local.first(statement);
    if (found !== null) count();
    return found;
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
    async snapshot(work) {
      requireOpen();
      return streams.snapshot(work);
    },
    async transaction(work, options) {
      requireOpen();
      return writer.transaction(work, options);
    },
    async version() {
      const [row] = await rows({ kind: 'read', text: 'SELECT sqlite_version()', values: [] });
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
      // The writer closes last: the last connection checkpoints the WAL into the file, and readers cannot write.
      ended.push(await writer.close(closeGraceMs));
      if (!ended.every(Boolean)) killAtExit();
    },
  };
}

interface WorkerEvents {
  /** Called when a worker has replied. */
  readonly onReply: () => void;
  /** Called with each statement for the writer. */
  readonly onWrite: () => void;
}

interface Workers {
  readonly writer: Writer;
  readonly readers: ReaderPool;
  readonly streams: StreamPool;
}

/** A thread takes longer to start than a file to open, so the first reader starts beside the writer, and opens the file after it. */
async function openWorkers(options: DriverOptions, { onReply, onWrite }: WorkerEvents): Promise<Workers> {
  const { file, mapBytes, journal, readOnly, statementTimeoutMs: timeoutMs } = options;
  const { poolMs: waitMs } = options.deadlines;
  const start = (role: ConnectionRole, opensLater = false): WorkerClient =>
    startWorker({ file, role, mapBytes, journal, busyTimeoutMs, opensLater }, onReply);
  const opening = createWriter({
    start: () => waitUntilOpen(start(readOnly ? 'reader' : 'writer')),
    waitMs,
    timeoutMs,
    countStatement: onWrite,
    checkForeignKeys: (connection, texts) => checkForeignKeys(connection, readers, texts),
  });
  const readers = new ReaderPool({ start: () => start('reader', true), maxReaders, waitMs, timeoutMs });
  const streams = createStreamPool({ start: () => start('stream'), waitMs, timeoutMs });
  try {
    return { writer: await opening, readers, streams };
  } catch (error) {
    await readers.close(closeGraceMs);
    throw error;
  }
}

async function waitUntilOpen(worker: WorkerClient): Promise<WorkerClient> {
  const reply = await worker.opened;
  if (reply[0] === replyKind.error) throw toDatabaseError(reply[2], reply[3]);
  return worker;
}

/** A worker in a statement that never calls alive() would delay the end of the process until the statement ends. The journal makes the kill safe. */
function killAtExit(): void {
  process.once('exit', () => process.kill(process.pid, 'SIGKILL'));
}
