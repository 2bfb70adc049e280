// Cancelling: a caller who has gone must neither wait for a connection nor keep the database busy.

import { DatabaseError } from '../../core/vendor/database-error.js';
import type { Statement } from '../../core/vendor/driver.js';
import type { StopSignal } from '../../core/vendor/stop-signal.js';
import type { Pool } from './connection.js';
import { errorNumber, toDatabaseError } from './errors.js';
import type { Reply, Session } from './session.js';

export const isAborted = (signal: StopSignal | undefined): boolean => signal?.aborted === true;

export const cancelled = (cause: unknown = 'The statement was cancelled.'): DatabaseError => new DatabaseError('cancelled', cause);

export async function acquire(pool: Pool, signal?: StopSignal): Promise<Session> {
  if (isAborted(signal)) throw cancelled();
  const session = pool.acquire().catch((error: unknown) => {
    throw toDatabaseError(error);
  });
  if (signal === undefined) return session;
  return new Promise((resolve, reject) => {
    const leave = () => {
      reject(cancelled());
      session.then(
        (late) => late.release(),
        () => undefined,
      );
    };
    signal.addEventListener('abort', leave, { once: true });
    session.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

/** `patienceMs`: how long the client waits for any answer, 0 for ever. */
export async function sendCancellable(session: Session, statement: Statement, patienceMs: number, signal?: StopSignal): Promise<Reply> {
  if (isAborted(signal)) throw cancelled();
  let killing: Promise<void> | null = null;
  const kill = () => {
    killing ??= session.kill();
  };
  signal?.addEventListener('abort', kill, { once: true });
  try {
    return await session.send(statement, patienceMs);
  } catch (error) {
    if (isAborted(signal)) throw cancelled(error);
    const failure = toDatabaseError(error, statement.text);
    // The client gave up and not the server: the statement may still run.
    if (failure.kind === 'timeout' && errorNumber(error) === null) kill();
    throw failure;
  } finally {
    signal?.removeEventListener('abort', kill);
    if (killing !== null) await killing;
  }
}
