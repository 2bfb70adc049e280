// Streams rows in batches while the server still sends, with back-pressure. If the consumer stops early, the statement is stopped as well.

import type { Readable } from 'node:stream';
import { DatabaseError } from '../../../core/vendor/database-error.js';
import type { Row, Statement } from '../../../core/vendor/driver.js';
import type { StopSignal } from '../../../core/vendor/stop-signal.js';
import { cancelled, isAborted } from './cancel.js';
import { refuseCutAnswer } from './cut-answers.js';
import { toDatabaseError } from './errors.js';
import type { Session } from './session.js';

const batchSize = 500;

export interface StreamLimits {
  /** The time limit for the first row. Later rows have none, because pauses of the consumer must not count. */
  readonly firstRowMs: number;
  /** Statements that lift the time limit of the server, and restore it. */
  readonly lift: string;
  readonly restore: string;
}

export async function* streamRows(
  session: Session,
  statement: Statement,
  limits: StreamLimits,
  signal?: StopSignal,
): AsyncGenerator<readonly Row[]> {
  let complete = false;
  try {
    await session.send({ kind: 'write', text: limits.lift, values: [] }, 0);
    if (isAborted(signal)) throw cancelled();
    yield* readSource(session, session.read(statement), limits.firstRowMs, signal);
    if (session.warnings() > 0) await refuseCutAnswer(session);
    await session.send({ kind: 'write', text: limits.restore, values: [] }, 0);
    complete = true;
  } catch (error) {
    throw toDatabaseError(error, statement.text);
  } finally {
    // Otherwise mysql2 would read the remaining rows before the next statement.
    if (!complete) await session.abandon();
    session.release();
  }
}

async function* readSource(
  session: Session,
  source: Readable,
  firstRowMs: number,
  signal: StopSignal | undefined,
): AsyncGenerator<readonly Row[]> {
  const abort = () => source.destroy(cancelled());
  const timeOut = () => source.destroy(new DatabaseError('timeout', 'The statement took too long.'));
  const timer = firstRowMs === 0 ? undefined : setTimeout(timeOut, firstRowMs);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    for await (const batch of batches(session, source)) {
      clearTimeout(timer);
      yield batch;
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

export async function* batches(session: Session, source: Readable): AsyncGenerator<readonly Row[]> {
  // The error is read below. Without a listener it would be uncaught.
  source.on('error', () => undefined);
  for (;;) {
    if (source.errored !== null) throw source.errored;
    const batch = readBatch(source);
    if (batch.length > 0) yield batch;
    else if (source.readableEnded || source.destroyed) return;
    else {
      session.wait(true);
      await somethingNew(source);
      session.wait(false);
    }
  }
}

/** Resolves when the stream may have rows or has ended. Removes both listeners, because a stream is awaited many times. */
const somethingNew = (source: Readable): Promise<void> =>
  new Promise((resolve) => {
    const settle = (): void => {
      source.off('readable', settle).off('close', settle);
      resolve();
    };
    source.on('readable', settle).on('close', settle);
  });

function readBatch(source: Readable): readonly Row[] {
  const batch: Row[] = [];
  while (batch.length < batchSize) {
    const row: Row | null = source.read();
    if (row === null) break;
    batch.push(row);
  }
  return batch;
}
