// Runs a write inside a transaction and rolls it back to a savepoint, whatever came of it: dry runs, and reads of a state that is never
// committed (versions). Effects of the rehearsed write never happen; its closing checks run when the caller asks for them.

import type { PipelinedConnection } from '../../pipeline/pipelined-connection.js';
import type { Statement } from '../../vendor/driver.js';
import type { TransactionWork, Witness } from './transaction.js';
import { TransactionScope } from './transaction-scope.js';

export interface Rehearsal {
  readonly work: TransactionWork;
  /** Runs what the write left for the end of its transaction (the check for the last administrator, records), so that it can refuse. */
  settle(): Promise<void>;
}

const begin: Statement = { kind: 'write', text: 'SAVEPOINT rehearsal', values: [] };
const rollBack: Statement = { kind: 'write', text: 'ROLLBACK TO SAVEPOINT rehearsal', values: [], recovers: true };
const release: Statement = { kind: 'write', text: 'RELEASE SAVEPOINT rehearsal', values: [] };

export async function rehearse<T>(
  work: TransactionWork,
  act: (rehearsal: Rehearsal) => Promise<T>,
  witness: Witness | null = null,
): Promise<T> {
  const { connection } = work;
  await connection.flush();
  await connection.run(begin);
  const scope = new TransactionScope();
  const inner: TransactionWork = { ...work, connection: connection.nested(), afterCommit: () => undefined, scope, witness, changes: null };
  const settle = async (): Promise<void> => {
    await scope.close();
    await inner.connection.flush();
  };
  let result: T;
  try {
    result = await act({ work: inner, settle });
  } catch (error) {
    // A deadlock may have ended the whole transaction, savepoint included: the first error is the one to report.
    await endRehearsal(connection).catch(() => undefined);
    throw error;
  }
  await endRehearsal(connection);
  return result;
}

const beginAttempt: Statement = { kind: 'write', text: 'SAVEPOINT attempt', values: [] };
const undoAttempt: Statement = { kind: 'write', text: 'ROLLBACK TO SAVEPOINT attempt', values: [], recovers: true };
const releaseAttempt: Statement = { kind: 'write', text: 'RELEASE SAVEPOINT attempt', values: [] };

/** Runs a write in a savepoint. If it throws, its changes are rolled back and the transaction can go on. Attempts must not be nested. */
export async function attempt<T>(work: TransactionWork, act: (inner: TransactionWork) => Promise<T>): Promise<T> {
  const { connection } = work;
  await connection.flush();
  await connection.run(beginAttempt);
  const inner = connection.nested();
  try {
    const result = await act({ ...work, connection: inner });
    await inner.flush();
    await connection.run(releaseAttempt);
    return result;
  } catch (error) {
    // A deadlock may have ended the whole transaction, savepoint included: the first error is the one to report.
    await connection.run(undoAttempt).catch(() => undefined);
    await connection.run(releaseAttempt).catch(() => undefined);
    throw error;
  }
}

/**
 * The same for a write that takes part in another one, which goes on if it throws: its records are made before the savepoint ends, and its effects
 * happen only if it has succeeded. `name`: of the savepoint; those inside of one another have different ones.
 */
export async function attemptPart<T>(work: TransactionWork, name: string, act: (inner: TransactionWork) => Promise<T>): Promise<T> {
  const { connection } = work;
  const run = (command: string, recovers: boolean): Promise<number> =>
    connection.run({ kind: 'write', text: `${command} ${name}`, values: [], ...(recovers ? { recovers } : {}) });
  await connection.flush();
  await run('SAVEPOINT', false);
  const scope = new TransactionScope();
  const effects: Parameters<TransactionWork['afterCommit']>[0][] = [];
  const inner = connection.nested();
  try {
    const result = await act({ ...work, connection: inner, scope, afterCommit: (effect) => effects.push(effect) });
    await scope.close();
    await inner.flush();
    await run('RELEASE SAVEPOINT', false);
    for (const effect of effects) work.afterCommit(effect);
    return result;
  } catch (error) {
    await run('ROLLBACK TO SAVEPOINT', true).catch(() => undefined);
    await run('RELEASE SAVEPOINT', false).catch(() => undefined);
    throw error;
  }
}

async function endRehearsal(connection: PipelinedConnection): Promise<void> {
  await connection.run(rollBack);
  await connection.run(release);
}
