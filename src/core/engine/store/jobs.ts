// Work that one process at a time does although many could: sweeps, later schedules. Which job is due, and which one was left by a process that
// is gone, is seen in the rows that the check for changes reads anyway, so jobs send no statement while there is nothing to do.

import type { SystemDefinition } from '../../schema/system-definition.js';
import type { SystemHome } from '../../schema/system-home.js';
import type { Dialect } from '../../vendor/dialect.js';
import { decodeJob, type JobEnd, jobPrefix, type Lease, type LeaseTimes, leftBehind, openLeases, usualLeaseTimes } from './lease.js';

export interface Job {
  readonly name: string;
  /** How long it is not due after it was done, or was found not to be needed. */
  readonly everyMs: number;
  /** Whether there is anything to do; if not, nothing is written. */
  isNeeded(): Promise<boolean>;
  /**
   * Does a portion; resolves to whether there is more. Between portions the process looks whether the job is still its own. One that was under
   * way when the process lost its connection may end while another process works, so it has to be such that this does no harm.
   */
  step(): Promise<boolean>;
}

export interface JobsOptions {
  readonly dialect: Dialect;
  readonly definition: SystemDefinition;
  readonly system: SystemHome;
  readonly report: (error: unknown, job: string) => void;
  /** Called when this process goes on with what another one has left. */
  readonly onTakeover?: (job: string) => void;
  readonly times?: LeaseTimes;
}

export interface Jobs {
  add(job: Job): void;
  /** The rows of the jobs as they are now, by name. Call it often. */
  observe(rows: ReadonlyMap<string, number>): void;
  /** Leaves running jobs to others; resolves when the portions under way have ended. */
  stop(): Promise<void>;
}

/** When a job that failed is tried again, at the earliest. */
const retryMs = 60_000;

/** A job as this process knows it. */
interface Watched {
  readonly job: Job;
  /** The row as last seen, since when it has not changed, and when it was last looked at. */
  value: number | null;
  since: number;
  lookedAt: number;
  /** Before this time this process does not look whether the job is needed. */
  notBefore: number;
  running: Promise<void> | null;
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
    // After a pause of this process, or of the database, nobody can say whether the holder could have renewed the row.
    const isBlind = now - watched.lookedAt > times.patienceMs / 2;
    if (value !== watched.value || isBlind) watched.since = now;
    watched.value = value;
    watched.lookedAt = now;
    if (watched.running !== null) return;
    const row = value === null ? null : decodeJob(value);
    if (row?.running === true) {
      if (value === leftBehind || now - watched.since >= times.patienceMs) start(watched, true);
    } else if (now >= watched.notBefore && (row === null || Date.now() - row.at >= watched.job.everyMs)) start(watched, false);
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
