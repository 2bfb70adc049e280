// Deletes activity that is older than the retention period, with its revisions.

import type { SystemRows } from '../../../core/engine/own-rows/system-rows.js';
import type { Leases } from '../../../core/engine/store/lease.js';
import type { RowOf } from '../../../core/schema/system-definition.js';
import { repeatEvery } from '../../../core/util/repeat.js';
import type { Connection } from '../../../core/vendor/driver.js';
import { activity as activityDefinition, type revisions as revisionsDefinition } from '../../definitions/history.js';

const hourMs = 3_600_000;

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
    const isNeeded = () => activity.hasBefore(connection, 'timestamp', time);
    await leases.run('history', hourMs, () => deleteOld(time), isNeeded);
  };
  const deleteOld = async (time: string): Promise<void> => {
    // Not one transaction: if the process ends between the two, the next sweep continues.
    await revisions.deleteWith(connection, 'activity', activityDefinition, 'timestamp', time);
    await activity.deleteBefore(connection, 'timestamp', time);
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
