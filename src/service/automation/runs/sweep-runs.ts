// Deletes ended runs after thirty days.

import type { SystemRows } from '../../../core/engine/own-rows/system-rows.js';
import type { Job } from '../../../core/engine/store/jobs.js';
import type { RowOf } from '../../../core/schema/system-definition.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { runs } from '../../definitions/automation.js';

const hourMs = 3_600_000;
const keepMs = 30 * 24 * hourMs;
/** The number of rows per portion: one statement for all of them would lock them together and could exceed the statement timeout. */
const portion = 500;

export function sweepRuns(rows: SystemRows<RowOf<typeof runs>>, connection: Connection): Job {
  const readOld = async (limit: number): Promise<readonly string[]> =>
    (await rows.readBefore(connection, ['id'], 'ended', new Date(Date.now() - keepMs).toISOString(), limit)).map(({ id }) => id);
  return {
    name: 'ended runs',
    everyMs: hourMs,
    isNeeded: async () => (await readOld(1)).length > 0,
    async step() {
      const ids = await readOld(portion);
      if (ids.length > 0) await rows.delete(connection, { id: ids });
      return ids.length === portion;
    },
  };
}
