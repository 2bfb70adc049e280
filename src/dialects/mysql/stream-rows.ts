// Batches of rows while the server still sends, with back-pressure. Whoever stops early stops the statement too.

import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { DatabaseError } from '../../core/vendor/database-error.js';
import type { Row, Statement } from '../../core/vendor/driver.js';
import type { StopSignal } from '../../core/vendor/stop-signal.js';
import { cancelled, isAborted } from './cancel.js';
import { toDatabaseError } from './errors.js';
import { refuseCutAnswer } from './refuse-cut-answer.js';
import type { Session } from './session.js';

const batchSize = 500;

export interface StreamLimits {
  /** How long the first row may take. Later ones wait for the reader, whose pauses must not count. */
  readonly firstRowMs: number;
  /** Statements that lift the server's own limit, and bring it back. */
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
    await session.send({ text: limits.lift, values: [] }, 0);
    if (isAborted(signal)) throw cancelled();
    yield* readSource(session.read(statement), limits.firstRowMs, signal);
    if (session.warnings() > 0) await refuseCutAnswer(session);
    await session.send({ text: limits.restore, values: [] }, 0);
    complete = true;
  } catch (error) {
    throw toDatabaseError(error, statement.text);
  } finally {
    // The driver would read the rest in the background before the next statement.
    if (!complete) await session.kill();
    session.release();
  }
}

async function* readSource(source: Readable, firstRowMs: number, signal: StopSignal | undefined): AsyncGenerator<readonly Row[]> {
  const abort = () => source.destroy(cancelled());
  const late = () => source.destroy(new DatabaseError('timeout', 'The statement took too long.'));
  const timer = firstRowMs === 0 ? undefined : setTimeout(late, firstRowMs);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    for await (const batch of batches(source)) {
      clearTimeout(timer);
      yield batch;
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

async function* batches(source: Readable): AsyncGenerator<readonly Row[]> {
  // Looked at below; without a listener it would be uncaught.
  source.on('error', () => undefined);
  for (;;) {
    if (source.errored !== null) throw source.errored;
    const batch = readBatch(source);
    if (batch.length > 0) yield batch;
    else if (source.readableEnded || source.destroyed) return;
    else await Promise.race([once(source, 'readable'), once(source, 'close')]);
  }
}

function readBatch(source: Readable): readonly Row[] {
  const batch: Row[] = [];
  while (batch.length < batchSize) {
    const row: Row | null = source.read();
    if (row === null) break;
    batch.push(row);
  }
  return batch;
}
