// Work that one process at a time does although many could, such as sweeps. The periodic check of the epochs also reads the rows of the
// jobs, which tell what is due and what a process has left unfinished, so jobs send no statement while there is nothing to do.

import type { SystemDefinition } from '../../schema/system-definition.js';
import type { SystemHome } from '../../schema/system-home.js';
import type { Dialect } from '../../vendor/dialect.js';
import { decodeJob, type JobEnd, jobPrefix, type Lease, type LeaseTimes, leftBehind, openLeases, usualLeaseTimes } from './lease.js';

export interface Job {
  readonly name: string;
  /** The least time between two runs; also the time until the next check when the job was not needed. */
  readonly everyMs: number;
  /** Whether there is work to do. If not, the lease is not taken and nothing is written. */
  isNeeded(): Promise<boolean>;
  /**
   * Does one portion of the work and resolves to whether there is more. Between portions the process checks that it still holds the lease.
   * A portion whose process lost its connection may finish while another process already works on the job, so portions must tolerate
   * running concurrently.
   */
  step(): Promise<boolean>;
}

export interface JobsOptions {
  readonly dialect: Dialect;
  readonly definition: SystemDefinition;
  readonly system: SystemHome;
  readonly report: (error: unknown, job: string) => void;
  /** Called when this process continues a job that another process left unfinished. */
  readonly onTakeover?: (job: string) => void;
  readonly times?: LeaseTimes;
}

export interface Jobs {
  add(job: Job): void;
  /** Pass the current rows of the jobs, by name. Call it about twice a second; after a longer gap the patience starts again. */
  observe(rows: ReadonlyMap<string, number>): void;
  /** Releases running jobs, so that other processes can continue them. Resolves when the current portions have ended. */
  stop(): Promise<void>;
}

/** The pause before a failed job is tried again, unless its own interval is shorter. */
const retryMs = 60_000;

/** What this process knows of a job. */
interface Watched {
  readonly job: Job;
  /** The row as last read, the time since which its value has not changed, and the time of the last read. */
  value: number | null;
  since: number;
  lookedAt: number;
  /** `isNeeded` is not called before this time. */
  notBefore: number;
  running: Promise<void> | null;
}

/** A time in the future was written by a clock that was ahead; it says nothing about when the job is due. */
function isDue(at: number, { everyMs }: Job): boolean {
  const ago = Date.now() - at;
  return ago < 0 || ago >= everyMs;
}

export function openJobs({ dialect, definition, system, report, onTakeover, times = usualLeaseTimes }: JobsOptions): Jobs {
  const leases = openLeases(dialect, definition, system, times);
  const all: Watched[] = [];
  let stopped = false;

  const work = async ({ step }: Job, lease: Lease): Promise<void> => {
    let end: JobEnd = 'failed';
    try {
      let hasMore = true;
      while (hasMore && !stopped && lease.isHeld()) hasMore = await step();
      end = hasMore ? 'left' : 'done';
    } finally {
      await lease.release(end);
    }
  };

  const begin = async (watched: Watched, isLeft: boolean): Promise<void> => {
    const { job, value } = watched;
    if (!isLeft && !(await job.isNeeded())) {
      watched.notBefore = performance.now() + job.everyMs;
      return;
    }
    const lease = await leases.take(job.name, value);
    if (lease === null) return;
    if (isLeft) onTakeover?.(job.name);
    await work(job, lease);
  };

  const start = (watched: Watched, isLeft: boolean): void => {
    watched.running = begin(watched, isLeft)
      .catch((error: unknown) => {
        watched.notBefore = performance.now() + Math.min(watched.job.everyMs, retryMs);
        if (!stopped) report(error, watched.job.name);
      })
      .finally(() => {
        watched.running = null;
      });
  };

  const look = (watched: Watched, value: number | null, now: number): void => {
    // After a pause of this process or of the database, an unchanged row proves nothing: the holder may not have been able to renew it.
    const isBlind = now - watched.lookedAt > times.patienceMs / 2;
    if (value !== watched.value || isBlind) watched.since = now;
    watched.value = value;
    watched.lookedAt = now;
    if (watched.running !== null) return;
    const row = value === null ? null : decodeJob(value);
    if (row?.running === true) {
      if (value === leftBehind || now - watched.since >= times.patienceMs) start(watched, true);
    } else if (now >= watched.notBefore && (row === null || isDue(row.at, watched.job))) start(watched, false);
  };

  return {
    add(job) {
      all.push({ job, value: null, since: 0, lookedAt: 0, notBefore: 0, running: null });
    },
    observe(rows) {
      if (stopped) return;
      const now = performance.now();
      for (const watched of all) look(watched, rows.get(`${jobPrefix}${watched.job.name}`) ?? null, now);
    },
    async stop() {
      stopped = true;
      await Promise.all(all.map(({ running }) => running));
    },
  };
}
