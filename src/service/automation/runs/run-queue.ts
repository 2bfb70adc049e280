// The runs that nobody waits for, in a table: stored with what they follow from, then carried out by any process, at least once. A process claims
// a run by raising its attempt, so that of several one gets it, and says again and again that it still works on it; the run of one that is gone
// becomes due again.

import type { BulkRows } from '../../../core/engine/own-rows/bulk-rows.js';
import type { SystemRows } from '../../../core/engine/own-rows/system-rows.js';
import type { Job } from '../../../core/engine/store/jobs.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import type { TransactionScope } from '../../../core/engine/work/transaction-scope.js';
import type { WriteOrigin } from '../../../core/engine/work/work.js';
import { invalidPayload } from '../../../core/errors/service-error.js';
import type { PipelinedConnection } from '../../../core/pipeline/pipelined-connection.js';
import type { RowOf } from '../../../core/schema/system-definition.js';
import type { PendingText } from '../../../core/sql/pending-key.js';
import { repeatEvery } from '../../../core/util/repeat.js';
import { DatabaseError } from '../../../core/vendor/database-error.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { runs } from '../../definitions/automation.js';
import { isMasked } from '../chain/mask.js';

type RunRow = RowOf<typeof runs>;

export interface NewRun {
  readonly flow: string;
  /** The extension whose `durable` it calls instead of a flow. */
  readonly extension: string | null;
  /** A JSON text. */
  readonly trigger: string | PendingText;
  readonly user: string | null;
  readonly ip: string | null;
  /** The access key that the write carried. */
  readonly accessKey: string | null;
  readonly origin: WriteOrigin;
  /** It would start itself again and again: it is kept as such, and not carried out. */
  readonly isLoop: boolean;
}

const columns = ['id', 'flow', 'extension', 'status', 'slot', 'attempt', 'user', 'ip', 'access_key', 'origin', 'trigger', 'steps'] as const;
export type DueRun = Pick<RunRow, (typeof columns)[number]>;

/** How an attempt ended. `again`: it is tried again at this time. */
export interface RunEnd {
  readonly status: 'ok' | 'failed' | 'dead' | 'refused' | 'again';
  readonly dueInMs?: number;
  readonly steps: unknown;
  readonly error: unknown;
  /** As it is kept once the run has ended: without secrets. */
  readonly trigger: unknown;
}

export interface RunQueueDeps {
  readonly rows: SystemRows<RunRow>;
  readonly bulk: BulkRows;
  readonly connection: Connection;
  readonly perform: (run: DueRun) => Promise<RunEnd>;
  readonly report: (error: unknown) => void;
  /** Runs of this process at once. */
  readonly maxAtOnce: number;
}

const leaseMs = 60_000;
const renewMs = 20_000;
/** How often a run may be begun whose process then was gone. */
const mostAttempts = 12;

const at = (ms: number): string => new Date(ms).toISOString();

export class RunQueue {
  readonly #deps: RunQueueDeps;
  readonly #running = new Map<string, Promise<void>>();
  readonly #awaited = new WeakSet<TransactionScope>();
  #looking: Promise<void> | null = null;
  #again = false;
  #isClosed = false;

  constructor(deps: RunQueueDeps) {
    this.#deps = deps;
  }

  /** Queues the INSERT with the write that the runs follow from. Wake the queue after its commit. */
  enqueue(connection: PipelinedConnection, added: readonly NewRun[]): void {
    const now = at(Date.now() - 1);
    const rows = added.map((run) => [
      crypto.randomUUID(),
      run.flow,
      run.extension,
      run.isLoop ? 'loop' : 'waiting',
      run.isLoop ? null : now,
      run.isLoop ? now : null,
      run.user,
      run.ip?.slice(0, 50) ?? null,
      run.accessKey,
      JSON.stringify(run.origin),
      run.trigger,
    ]);
    this.#deps.bulk.enqueueInsert(connection, {
      common: {},
      columns: ['id', 'flow', 'extension', 'status', 'due', 'ended', 'user', 'ip', 'access_key', 'origin', 'trigger'],
      rows,
    });
  }

  /** A run of a time table. False: another instance has stored it, or the run before has not ended. */
  async addScheduled(flow: string, slot: Date, mayOverlap: boolean): Promise<boolean> {
    const { rows, connection } = this.#deps;
    if (!mayOverlap && (await rows.read(connection, ['id'], { flow, status: ['waiting', 'running'] }, 1)).length > 0) return false;
    try {
      const origin: WriteOrigin = { depth: 0, trail: [], isSilent: false };
      await rows.insert(connection, [{ id: crypto.randomUUID(), flow, slot: slot.toISOString(), due: at(Date.now() - 1), origin }]);
    } catch (error) {
      if (error instanceof DatabaseError && error.kind === 'unique') return false;
      throw error;
    }
    this.wake();
    return true;
  }

  /** Begins an ended run again, from its start, unless it would write what stands in for a secret. False: there is no such run. */
  async replay(connection: Connection, id: string): Promise<boolean> {
    const [kept] = await this.#deps.rows.read(connection, ['trigger'], { id, due: null });
    if (kept !== undefined && isMasked(kept.trigger))
      throw invalidPayload('The data that started the run was kept without its secrets, so it cannot begin again.');
    const set = { status: 'waiting', due: at(Date.now() - 1), ended: null, steps: null, error: null, attempt: 0 };
    return (await this.#deps.rows.update(connection, set, { id, due: null })) > 0;
  }

  /** Looks for runs that are due. Call after the commit of what queued them. */
  wake(): void {
    this.#again = true;
    if (this.#isClosed) return;
    this.#looking ??= this.#look()
      .catch(this.#deps.report)
      .finally(() => {
        this.#looking = null;
        if (this.#again) this.wake();
      });
  }

  /** Wakes it once after the commit, however many runs the transaction queues. */
  wakeAfter({ scope, afterCommit }: Pick<TransactionWork, 'scope' | 'afterCommit'>): void {
    if (this.#awaited.has(scope)) return;
    this.#awaited.add(scope);
    afterCommit(() => this.wake());
  }

  /** Finds what another process has left, and what is to be tried again. */
  watch(isNeeded: () => boolean): Job {
    return {
      name: 'runs',
      everyMs: 5_000,
      isNeeded: async () => isNeeded() && (await this.#due(1)).length > 0,
      step: async () => {
        this.wake();
        return false;
      },
    };
  }

  /** Resolves when the runs under way have ended; those that wait are for another process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#looking;
    await Promise.all(this.#running.values());
  }

  #due(limit: number): Promise<readonly DueRun[]> {
    const { rows, connection } = this.#deps;
    return rows.readBefore(connection, columns, 'due', at(Date.now()), limit);
  }

  async #look(): Promise<void> {
    const { maxAtOnce } = this.#deps;
    while (this.#again && !this.#isClosed && this.#running.size < maxAtOnce) {
      this.#again = false;
      const found = await this.#due(maxAtOnce * 4);
      for (const run of found) {
        if (this.#running.size >= maxAtOnce || this.#isClosed) break;
        if (this.#running.has(run.id) || !(await this.#claim(run))) continue;
        this.#again = true;
        const work = this.#carryOut(run)
          .catch(this.#deps.report)
          .finally(() => {
            this.#running.delete(run.id);
            this.wake();
          });
        this.#running.set(run.id, work);
      }
    }
    // Full: the end of a run wakes the queue again.
    if (this.#running.size >= maxAtOnce) this.#again = false;
  }

  async #claim({ id, attempt }: DueRun): Promise<boolean> {
    const { rows, connection } = this.#deps;
    const now = Date.now();
    const set = { status: 'running', attempt: attempt + 1, due: at(now + leaseMs), started: at(now) };
    return (await rows.update(connection, set, { id, attempt })) === 1;
  }

  async #carryOut(run: DueRun): Promise<void> {
    const { rows, connection, perform, report } = this.#deps;
    const mine = { id: run.id, attempt: run.attempt + 1 };
    const stop = repeatEvery(renewMs, () => rows.update(connection, { due: at(Date.now() + leaseMs) }, mine).then(() => undefined), report);
    try {
      const end = run.attempt >= mostAttempts ? givenUp(run) : await perform(run);
      const { steps, error, trigger } = end;
      const again = end.status === 'again' ? (end.dueInMs ?? 0) : null;
      const kept =
        again === null
          ? { status: end.status, due: null, ended: at(Date.now()), trigger }
          : { status: 'waiting', due: at(Date.now() + again) };
      await rows.update(connection, { ...kept, steps, error }, mine);
      if (again !== null) setTimeout(() => this.wake(), again + 5).unref();
    } finally {
      stop();
    }
  }
}

const givenUp = ({ steps, trigger }: DueRun): RunEnd => ({
  status: 'dead',
  steps,
  trigger,
  error: { code: 'SERVICE_UNAVAILABLE', status: 503, message: 'Each process that began the run was gone before its end.' },
});
