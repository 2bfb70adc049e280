// Deletes activity that is older than the retention period, with its revisions.

import type { SystemRows } from '../../../core/engine/own-rows/system-rows.js';
import type { Leases } from '../../../core/engine/store/lease.js';
import type { RowOf } from '../../../core/schema/system-definition.js';
import { repeatEvery } from '../../../core/util/repeat.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { activity as activityDefinition, revisions as revisionsDefinition } from '../../definitions/history.js';

const hourMs = 3_600_000;
/** So many at once: deleting all in one statement would lock them together, and take longer than a statement may. */
const portion = 500;

export interface SweptTables {
  readonly activity: SystemRows<RowOf<typeof activityDefinition>>;
  readonly revisions: SystemRows<RowOf<typeof revisionsDefinition>>;
}

export interface SweepOptions {
  readonly connection: Connection;
  readonly retentionMs: number;
  readonly leases: Leases;
  readonly report: (error: unknown) => void;
}

/** Sweeps at once and then every hour, in one of the processes on this database; returns a function that stops it. */
export function sweepHistory({ activity, revisions }: SweptTables, { connection, retentionMs, leases, report }: SweepOptions): () => void {
  let stopped = false;
  const sweep = async (): Promise<void> => {
    const time = new Date(Date.now() - retentionMs).toISOString();
    const isNeeded = async (): Promise<boolean> => (await readOld(time, 1)).length > 0;
    await leases.run('history', hourMs, () => deleteOld(time), isNeeded);
  };
  const readOld = async (time: string, limit: number): Promise<readonly number[]> =>
    (await activity.readBefore(connection, ['id'], 'timestamp', time, limit)).map(({ id }) => id);
  const deleteOld = async (time: string): Promise<void> => {
    // Not one transaction: if the process ends between the two, the next sweep continues.
    for (let keys = await readOld(time, portion); keys.length > 0 && !stopped; keys = await readOld(time, portion)) {
      await revisions.delete(connection, { activity: keys });
      await activity.delete(connection, { id: keys });
    }
  };
  const stop = repeatEvery(hourMs, sweep, report);
  sweep().catch((error: unknown) => {
    if (!stopped) report(error);
  });
  return () => {
    stopped = true;
    stop();
  };
}
