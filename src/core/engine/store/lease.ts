// The right to run a job in one process although many could. A row of the epochs says when the job was last under way, and whether it still is.
// The process that changes that row from the value it has read holds the job. It renews the row while it works, and trusts its own right for
// a shorter time than others wait for a sign of life: whoever stands still has lost the right before another process takes it.

import type { SystemDefinition } from '../../schema/system-definition.js';
import type { SystemHome } from '../../schema/system-home.js';
import { repeatEvery } from '../../util/repeat.js';
import { DatabaseError } from '../../vendor/database-error.js';
import type { Dialect } from '../../vendor/dialect.js';
import { systemRows } from '../own-rows/system-rows.js';

export interface LeaseTimes {
  /** How often a holder renews its row. */
  readonly renewMs: number;
  /** For how long after a renewal the holder goes on without another one. Shorter than `patienceMs`. */
  readonly trustMs: number;
  /** A row that nobody has renewed for so long is free. Measured by the waiting process, so that clocks need not agree. */
  readonly patienceMs: number;
}

/** Another process sees the last renewal half a second late at most and looks twice a second: on an idle machine it takes over within 7 s. */
export const usualLeaseTimes: LeaseTimes = { renewMs: 1_500, trustMs: 4_500, patienceMs: 6_000 };

/** When a job was last under way, in milliseconds since 1970, and whether it is. Stored as one number: twice the time, plus one while it runs. */
interface JobState {
  readonly at: number;
  readonly running: boolean;
}

const encode = ({ at, running }: JobState): number => at * 2 + (running ? 1 : 0);
export const decodeJob = (value: number): JobState => ({ at: Math.floor(value / 2), running: value % 2 === 1 });

/** Under way, and nobody works on it: its holder has ended in the middle and said so. */
export const leftBehind = encode({ at: 0, running: true });

/** How a holder parts with a job: it is done; it failed, and is due; or there is more to do, which is for whoever sees it first. */
export type JobEnd = 'done' | 'failed' | 'left';

const rowAfter = (end: JobEnd): number => {
  if (end === 'left') return leftBehind;
  return encode({ at: end === 'done' ? Date.now() : 0, running: false });
};

export interface Lease {
  /** Whether this process may go on. Also by its own clock, because one that stood still knows nothing of what happened meanwhile. */
  isHeld(): boolean;
  /** Does nothing if another process has taken over. */
  release(end: JobEnd): Promise<void>;
}

export interface Leases {
  /** `found`: the row as it was read, null if there was none. Resolves to null if another process was first. */
  take(job: string, found: number | null): Promise<Lease | null>;
}

export const jobPrefix = 'job:';

export function openLeases(dialect: Dialect, definition: SystemDefinition, system: SystemHome, times: LeaseTimes): Leases {
  const { driver } = dialect;
  const rows = systemRows(dialect.syntax, definition, system);

  /** Whether the row had the value that was read. */
  const change = async (name: string, from: number | null, to: number): Promise<boolean> => {
    try {
      if (from !== null) return (await rows.update(driver, { value: to }, { name, value: from })) === 1;
      await rows.insert(driver, [{ name, value: to }]);
      return true;
    } catch (error) {
      if (error instanceof DatabaseError && (error.kind === 'unique' || error.kind === 'deadlock')) return false;
      throw error;
    }
  };

  /** Two times of one row never are the same, so that a row that was renewed differs. */
  const renewed = (from: number | null): number =>
    encode({ at: Math.max(Date.now(), from === null ? 0 : decodeJob(from).at + 1), running: true });

  return {
    async take(job, found) {
      const name = `${jobPrefix}${job}`;
      let held: number | null = found;
      let trustedUntil = 0;
      const renew = async (): Promise<boolean> => {
        const next = renewed(held);
        // From before the statement: others count from when they see what it wrote.
        const begun = performance.now();
        const isMine = await change(name, held, next);
        held = isMine ? next : null;
        trustedUntil = isMine ? begun + times.trustMs : 0;
        return isMine;
      };
      if (!(await renew())) return null;
      let renewing: Promise<boolean> = Promise.resolve(true);
      const stop = repeatEvery(
        times.renewMs,
        async () => {
          if (held === null) return;
          renewing = renew();
          await renewing;
        },
        // The next one may succeed; if none does, the trust runs out.
        () => undefined,
      );
      return {
        isHeld: () => performance.now() < trustedUntil,
        async release(end) {
          stop();
          await renewing.catch(() => undefined);
          if (held !== null) await change(name, held, rowAfter(end));
        },
      };
    },
  };
}
