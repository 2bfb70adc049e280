// The right to run a job, held by one process at a time. A row of the epochs says when the job last ran and whether it is running. The
// process that replaces the value it has read by a new one holds the lease, and renews the row while it works. A holder trusts its own
// lease for a shorter time (`trustMs`) than others wait for a renewal (`patienceMs`), so a process that was suspended has lost the lease
// before another one takes it.

import type { SystemDefinition } from '../../schema/system-definition.js';
import type { SystemHome } from '../../schema/system-home.js';
import { repeatEvery } from '../../util/repeat.js';
import { DatabaseError } from '../../vendor/database-error.js';
import type { Dialect } from '../../vendor/dialect.js';
import { systemRows } from '../own-rows/system-rows.js';

export interface LeaseTimes {
  /** How often a holder renews its row. */
  readonly renewMs: number;
  /** How long a holder continues to work after its last successful renewal. Must be shorter than `patienceMs`. */
  readonly trustMs: number;
  /** How long a row must stay unchanged before another process may take it. The waiting process measures this itself, so clocks need not agree. */
  readonly patienceMs: number;
}

/**
 * A waiting process reads the rows twice a second, so it sees a renewal at most half a second late and takes over within 7 s on an idle
 * machine.
 */
export const usualLeaseTimes: LeaseTimes = { renewMs: 1_500, trustMs: 4_500, patienceMs: 6_000 };

/** When the job last ran, in milliseconds since 1970, and whether it is running. Stored as one number: twice the time, plus one while it runs. */
interface JobState {
  readonly at: number;
  readonly running: boolean;
}

const encode = ({ at, running }: JobState): number => at * 2 + (running ? 1 : 0);
export const decodeJob = (value: number): JobState => ({ at: Math.floor(value / 2), running: value % 2 === 1 });

/** The value of a job whose holder released it before it was finished: any process may continue it at once. */
export const leftBehind = encode({ at: 0, running: true });

/** Why a holder releases a job: `done`; `failed`, to be tried again; `left` with work remaining, for another process to continue. */
export type JobEnd = 'done' | 'failed' | 'left';

const rowAfter = (end: JobEnd): number => {
  if (end === 'left') return leftBehind;
  return encode({ at: end === 'done' ? Date.now() : 0, running: false });
};

export interface Lease {
  /**
   * Whether this process may continue. Also checks the time since the last renewal: a process that was suspended cannot know whether
   * another one took over.
   */
  isHeld(): boolean;
  /** Does nothing if another process has taken over. */
  release(end: JobEnd): Promise<void>;
}

export interface Leases {
  /** `found`: the row as read, null if there was none. Resolves to null if another process took the lease first. */
  take(job: string, found: number | null): Promise<Lease | null>;
}

export const jobPrefix = 'job:';

export function openLeases(dialect: Dialect, definition: SystemDefinition, system: SystemHome, times: LeaseTimes): Leases {
  const { driver } = dialect;
  const rows = systemRows(dialect.syntax, definition, system);

  /** Resolves to whether the row still had the value `from`, and was therefore changed. */
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

  /** Always later than the time in `from`, so that every renewal changes the row, whatever the clock says. */
  const renewed = (from: number | null): number =>
    encode({ at: Math.max(Date.now(), from === null ? 0 : decodeJob(from).at + 1), running: true });

  return {
    async take(job, found) {
      const name = `${jobPrefix}${job}`;
      let held: number | null = found;
      let trustedUntil = 0;
      const renew = async (): Promise<boolean> => {
        const next = renewed(held);
        // The trust starts before the statement is sent, because other processes count from the moment they see its effect.
        const startedAt = performance.now();
        const isMine = await change(name, held, next);
        held = isMine ? next : null;
        trustedUntil = isMine ? startedAt + times.trustMs : 0;
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
        // Ignored: the next renewal may succeed, and if none does, `isHeld` becomes false.
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
