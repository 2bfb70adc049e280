// Cancels statements: a caller that has gone must not keep the database busy.

import { DatabaseError } from '../../../core/vendor/database-error.js';
import type { Statement } from '../../../core/vendor/driver.js';
import type { StopSignal } from '../../../core/vendor/stop-signal.js';
import { stopUntilEnded } from '../../../core/vendor/stop-until-ended.js';
import { errorNumber, toDatabaseError } from './errors.js';
import type { Reply, Session } from './session.js';

export const isAborted = (signal: StopSignal | undefined): boolean => signal?.aborted === true;

export const cancelled = (cause: unknown = 'The statement was cancelled.'): DatabaseError => new DatabaseError('cancelled', cause);

/** `waitMs`: how long the client waits for an answer; 0 for no limit. */
export async function sendCancellable(session: Session, statement: Statement, waitMs: number, signal?: StopSignal): Promise<Reply> {
  if (isAborted(signal)) throw cancelled();
  let killing: Promise<void> | null = null;
  const running = session.send(statement, waitMs);
  const kill = () => {
    killing ??= stopUntilEnded(running, () => session.kill());
  };
  signal?.addEventListener('abort', kill, { once: true });
  try {
    return await running;
  } catch (error) {
    if (isAborted(signal)) throw cancelled(error);
    const failure = toDatabaseError(error, statement.text);
    // The client has given up, not the server, so the statement may still be running.
    if (failure.kind === 'timeout' && errorNumber(error) === null) kill();
    throw failure;
  } finally {
    signal?.removeEventListener('abort', kill);
    if (killing !== null) await killing;
  }
}
