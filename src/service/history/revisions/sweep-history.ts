// Deletes activity that is older than the retention period, with its revisions.

import type { SystemRows } from '../../../core/engine/own-rows/system-rows.js';
import type { Job } from '../../../core/engine/store/jobs.js';
import type { RowOf } from '../../../core/schema/system-definition.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { activity as activityDefinition, revisions as revisionsDefinition } from '../../definitions/history.js';

const hourMs = 3_600_000;
/** The number of rows per portion: one statement for all of them would lock them together and could exceed the statement timeout. */
const portion = 500;

export interface SweptTables {
  readonly activity: SystemRows<RowOf<typeof activityDefinition>>;
  readonly revisions: SystemRows<RowOf<typeof revisionsDefinition>>;
}

export interface SweepOptions {
  readonly connection: Connection;
  readonly retentionMs: number;
}

export function sweepHistory({ activity, revisions }: SweptTables, { connection, retentionMs }: SweepOptions): Job {
  const readOld = async (limit: number): Promise<readonly number[]> => {
    const time = new Date(Date.now() - retentionMs).toISOString();
    return (await activity.readBefore(connection, ['id'], 'timestamp', time, limit)).map(({ id }) => id);
  };
  return {
    name: 'history',
    everyMs: hourMs,
    isNeeded: async () => (await readOld(1)).length > 0,
    async step() {
      const keys = await readOld(portion);
      if (keys.length === 0) return false;
      // Not one transaction: if the process ends between the two, the next portion has these again.
      await revisions.delete(connection, { activity: keys });
      await activity.delete(connection, { id: keys });
      return keys.length === portion;
    },
  };
}
