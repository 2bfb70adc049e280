// Jobs that one process at a time runs although many could: sweeps, later schedules. A row of the epochs says when a job was last under way and
// whether it still is. The process that changes that row from the value it has read holds the job; nothing is written while a job is not due, or
// would find nothing to do. While a job runs its holder renews the row, so that another process takes over when the holder is gone.

import { setTimeout as sleep } from 'node:timers/promises';
import type { SystemDefinition } from '../../schema/system-definition.js';
import type { SystemHome } from '../../schema/system-home.js';
import { repeatEvery } from '../../util/repeat.js';
import { DatabaseError } from '../../vendor/database-error.js';
import type { Dialect } from '../../vendor/dialect.js';
import { systemRows } from '../own-rows/system-rows.js';

export interface LeaseOptions {
  /** How often a holder renews its row. */
  readonly renewMs: number;
  /** A row that nobody has renewed for so long is free. Measured by the waiting process, so that clocks need not agree. */
  readonly patienceMs: number;
}

const usual: LeaseOptions = { renewMs: 2_000, patienceMs: 8_000 };

export interface Leases {
  /**
   * Runs a job unless another process runs it, or has run it within `everyMs`, or it is not needed. `signal` aborts if the row was taken away.
   * Resolves to whether it ran here; rejects with the error of the job, which is then due at once.
   */
  run(job: string, everyMs: number, act: (signal: AbortSignal) => Promise<void>, isNeeded?: () => Promise<boolean>): Promise<boolean>;
}

/** When a job was last under way, in milliseconds since 1970, and whether it is. Stored as one number: twice the time, plus one while it runs. */
interface JobState {
  readonly at: number;
  readonly running: boolean;
}

const encode = ({ at, running }: JobState): number => at * 2 + (running ? 1 : 0);
const decode = (value: number): JobState => ({ at: Math.floor(value / 2), running: value % 2 === 1 });

/** Two times of one row never are the same, so that a row that was renewed differs. */
const later = (at: number): number => Math.max(Date.now(), at + 1);

export function openLeases(dialect: Dialect, definition: SystemDefinition, system: SystemHome, options: LeaseOptions = usual): Leases {
  const { driver } = dialect;
  const rows = systemRows(dialect.syntax, definition, system);

  const read = async (name: string): Promise<JobState | null> => {
    const [row] = await rows.read(driver, ['value'], { name });
    return row === undefined ? null : decode(Number(row.value));
  };

  /** Whether the row had the state that was read. */
  const change = async (name: string, from: JobState | null, to: JobState): Promise<boolean> => {
    try {
      if (from !== null) return (await rows.update(driver, { value: encode(to) }, { name, value: encode(from) })) === 1;
      await rows.insert(driver, [{ name, value: encode(to) }]);
      return true;
    } catch (error) {
      if (error instanceof DatabaseError && (error.kind === 'unique' || error.kind === 'deadlock')) return false;
      throw error;
    }
  };

  const take = async (name: string, everyMs: number, isNeeded: () => Promise<boolean>): Promise<JobState | null> => {
    const found = await read(name);
    if (found?.running === false && Date.now() - found.at < everyMs) return null;
    if (found?.running === true) {
      await sleep(options.patienceMs, undefined, { ref: false });
      const now = await read(name);
      if (now === null || encode(now) !== encode(found)) return null;
    }
    if (!(await isNeeded())) return null;
    const mine = { at: later(found?.at ?? 0), running: true };
    return (await change(name, found, mine)) ? mine : null;
  };

  return {
    async run(job, everyMs, act, isNeeded = async () => true) {
      const name = `job:${job}`;
      let held = await take(name, everyMs, isNeeded);
      if (held === null) return false;
      const lost = new AbortController();
      const renew = async (): Promise<void> => {
        if (held === null) return;
        const renewed: JobState = { at: later(held.at), running: true };
        held = (await change(name, held, renewed)) ? renewed : null;
        if (held === null) lost.abort();
      };
      let renewing: Promise<void> = Promise.resolve();
      const renewNext = (): Promise<void> => {
        renewing = renew();
        return renewing;
      };
      const stop = repeatEvery(options.renewMs, renewNext, () => undefined);
      const release = async (at: number): Promise<void> => {
        stop();
        await renewing.catch(() => undefined);
        if (held !== null) await change(name, held, { at, running: false });
      };
      try {
        await act(lost.signal);
      } catch (error) {
        await release(0);
        throw error;
      }
      await release(Date.now());
      return true;
    },
  };
}
