// Counters by which every process sees what another one changed. A change raises its counter in its own transaction; a process that reads a
// higher number than before reads the changed tables again.

import type { SystemDefinition } from '../../schema/system-definition.js';
import type { SystemHome } from '../../schema/system-home.js';
import type { Dialect } from '../../vendor/dialect.js';
import type { Connection } from '../../vendor/driver.js';
import { systemRows } from '../own-rows/system-rows.js';

export const epochNames = ['schema', 'policy', 'session'] as const;
export type EpochName = (typeof epochNames)[number];
export type EpochValues = Readonly<Record<EpochName, number>>;

export interface Epochs {
  /** One statement. */
  read(connection: Connection): Promise<EpochValues>;
  bump(connection: Connection, name: EpochName): Promise<void>;
  /** Locks a row that always exists until the transaction ends, and changes nothing. */
  lock(connection: Connection): Promise<void>;
}

export function openEpochs(dialect: Dialect, definition: SystemDefinition, system: SystemHome): Epochs {
  const rows = systemRows(dialect.syntax, definition, system);
  return {
    // Besides the counters the table has the jobs of lease.ts.
    async read(connection) {
      const found = new Map((await rows.read(connection, ['name', 'value'])).map((row) => [row.name, Number(row.value)]));
      return { schema: found.get('schema') ?? 0, policy: found.get('policy') ?? 0, session: found.get('session') ?? 0 };
    },
    async bump(connection, name) {
      await rows.countUp(connection, 'value', { name });
    },
    async lock(connection) {
      await rows.update(connection, { name: 'session' }, { name: 'session' });
    },
  };
}
