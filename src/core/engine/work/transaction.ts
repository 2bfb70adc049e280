// One transaction around one request: everything is committed or nothing is. A transaction that failed for a passing reason runs again as a
// whole; effects wait for the commit and never happen twice.

import { type Accountability, refuseReader } from '../../access/accountability.js';
import type { Caller } from '../../access/view.js';
import { ServiceError } from '../../errors/service-error.js';
import { PipelinedConnection } from '../../pipeline/pipelined-connection.js';
import type { Collection } from '../../schema/schema.js';
import { DatabaseError } from '../../vendor/database-error.js';
import type { Dialect } from '../../vendor/dialect.js';
import type { StopSignal } from '../../vendor/stop-signal.js';
import { anythingChanged, type ChangeSink, TransactionChanges } from './changes.js';
import { isWorthRetrying, type RetryQueue, retry, retryUntil } from './retry.js';
import type { RunRow } from './run-row.js';
import type { StageClock } from './stage-clock.js';
import { timedConnection } from './timed-connection.js';
import { TransactionScope } from './transaction-scope.js';
import { translateError } from './translate-error.js';
import type { OnRevisions, Work, WriteOrigin } from './work.js';

export interface TransactionWork extends Work {
  readonly connection: PipelinedConnection;
  readonly afterCommit: NonNullable<Work['afterCommit']>;
  readonly scope: TransactionScope;
  /** The author that records of the writes name. It differs from the caller where stored changes are written with their author's rights. */
  readonly accountable: Accountability;
  /** Called with the rows of every step before they are written; rehearsals collect what a write touches. */
  readonly witness: Witness | null;
  /** Collects what the transaction changes; null if there are no subscribers, or if the transaction will be rolled back. */
  readonly changes: TransactionChanges | null;
  /** The action and collection whose root items `filter` hooks have seen in what is being written (`filteredAs`). */
  readonly filtered?: string;
}

export type Witness = (action: 'create' | 'update' | 'delete', collection: Collection, rows: readonly RunRow[]) => void;

export interface TransactionDeps {
  readonly dialect: Pick<Dialect, 'driver' | 'deadlines'>;
  readonly retries: RetryQueue;
  /** Called when an effect failed after the commit: what was written stays written. */
  readonly onEffectError: (error: unknown) => void;
  readonly changes: ChangeSink | null;
}

export interface WriteOptions {
  readonly signal?: StopSignal | null;
  /** Runs everything and rolls it back; effects do not happen. */
  readonly dryRun?: boolean;
  /** Measures the stages of the request. */
  readonly clock?: StageClock | null;
  readonly onRevisions?: OnRevisions | null;
  readonly origin?: WriteOrigin | null;
}

export async function runTransaction<T>(
  deps: TransactionDeps,
  caller: Caller,
  act: (work: TransactionWork) => Promise<T>,
  options: WriteOptions = {},
): Promise<T> {
  // Reading a version rehearses its changes; nothing else that a reader may ask for opens a transaction.
  if (options.dryRun !== true) refuseReader(caller.accountability);
  const startedAt = performance.now();
  const attempt = (): Promise<T> => runOnce(deps, caller, act, options);
  try {
    return await attempt();
  } catch (error) {
    const { signal = null } = options;
    const until = retryUntil(deps.dialect.deadlines, startedAt);
    return await retry(error, attempt, { queue: deps.retries, until, signal }).catch((last: unknown) => {
      throw last instanceof DatabaseError ? translateError(caller.view.schema, last) : last;
    });
  }
}

/** Carries the result out of a transaction that is rolled back on purpose. */
class DryRunEnd<T> extends Error {
  readonly result: T;

  constructor(result: T) {
    super('dry run');
    this.result = result;
  }
}

async function runOnce<T>(
  { dialect, onEffectError, changes: sink }: TransactionDeps,
  caller: Caller,
  act: (work: TransactionWork) => Promise<T>,
  { signal, dryRun = false, clock = null, onRevisions = null, origin = null }: WriteOptions,
): Promise<T> {
  const effects: (() => void | Promise<void>)[] = [];
  const changes = sink?.isFollowed === true && !dryRun ? new TransactionChanges() : null;
  try {
    const result = await dialect.driver.transaction(async (bare) => {
      const connection = new PipelinedConnection(timedConnection(bare, clock));
      const scope = new TransactionScope();
      const answer = await act({
        caller,
        connection,
        signal: signal ?? null,
        afterCommit: (effect) => effects.push(effect),
        scope,
        accountable: caller.accountability,
        clock,
        witness: null,
        changes,
        onRevisions,
        origin,
      });
      await scope.close();
      await connection.flush(!dryRun);
      if (dryRun) throw new DryRunEnd(answer);
      return answer;
    });
    // A subscriber that joins while the transaction runs may read before its commit, so the change counts although it was not collected.
    if (sink?.isFollowed === true) sink.committed(changes === null ? anythingChanged : changes.list());
    await runEffects(effects, onEffectError);
    return result;
  } catch (error) {
    if (error instanceof DryRunEnd) return error.result as T;
    // If the connection broke during the commit, whether it happened is unknown.
    if (changes !== null && error instanceof DatabaseError && error.kind === 'unavailable') sink?.committed(changes.listDoubtful());
    throw causeToRetry(error);
  }
}

/** A step may have wrapped the database's error in the service's; whether to try again depends on the database's. */
function causeToRetry(error: unknown): unknown {
  const cause = error instanceof ServiceError ? error.cause : null;
  return isWorthRetrying(cause) ? cause : error;
}

async function runEffects(effects: readonly (() => void | Promise<void>)[], onError: (error: unknown) => void): Promise<void> {
  for (const effect of effects) {
    try {
      await effect();
    } catch (error) {
      onError(error);
    }
  }
}
