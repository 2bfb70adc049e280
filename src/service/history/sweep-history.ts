// Forgets what is older than the retention says; revisions go with their activity.

import type { SystemRows } from '../../core/engine/system-rows.js';
import { watchRegularly } from '../../core/engine/watch-regularly.js';
import type { Connection } from '../../core/vendor/driver.js';

const hourMs = 3_600_000;

/** Begins with a sweep at once; answers how to stop. */
export function sweepHistory(
  activity: SystemRows,
  connection: Connection,
  retentionMs: number,
  report: (error: unknown) => void,
): () => void {
  let stopped = false;
  const sweep = async (): Promise<void> => {
    await activity.deleteBefore(connection, 'timestamp', new Date(Date.now() - retentionMs).toISOString());
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
