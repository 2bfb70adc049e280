// Forgets what is older than the retention says; revisions go with their activity.

import type { SystemRows } from '../../core/engine/system-rows.js';
import { watchRegularly } from '../../core/engine/watch-regularly.js';
import type { SystemDefinition } from '../../core/schema/system-definition.js';
import type { Connection } from '../../core/vendor/driver.js';

const hourMs = 3_600_000;

export interface SweptTables {
  readonly activity: SystemRows;
  readonly revisions: SystemRows;
  /** Of the activity. */
  readonly definition: SystemDefinition;
}

/** Begins with a sweep at once; answers how to stop. */
export function sweepHistory(
  { activity, revisions, definition }: SweptTables,
  connection: Connection,
  retentionMs: number,
  report: (error: unknown) => void,
): () => void {
  let stopped = false;
  const sweep = async (): Promise<void> => {
    const time = new Date(Date.now() - retentionMs).toISOString();
    // Not one transaction: what ends between the two is gone on with by the next sweep.
    await revisions.deleteWith(connection, 'activity', definition, 'timestamp', time);
    await activity.deleteBefore(connection, 'timestamp', time);
  };
  const stop = watchRegularly(sweep, hourMs, report);
  sweep().catch((error: unknown) => {
    if (!stopped) report(error);
  });
  return () => {
    stopped = true;
    stop();
  };
}
