// The counters by which every process notices what another one changed. A change raises its counter in the transaction that makes
// it; whoever sees a higher number reads again.

import type { SystemDefinition } from '../schema/system-definition.js';
import type { Dialect } from '../vendor/dialect.js';
import type { Connection } from '../vendor/driver.js';
import { systemRows } from './system-rows.js';

export const epochNames = ['schema', 'policy', 'session'] as const;
export type EpochName = (typeof epochNames)[number];
export type EpochValues = Readonly<Record<EpochName, number>>;

export interface Epochs {
  /** One statement. */
  read(connection: Connection): Promise<EpochValues>;
  bump(connection: Connection, name: EpochName): Promise<void>;
  /** Holds a row that is always there until the transaction ends, and changes nothing. */
  hold(connection: Connection): Promise<void>;
}

export function openEpochs(dialect: Dialect, definition: SystemDefinition, systemSchema: string | null): Epochs {
  const rows = systemRows(dialect.syntax, definition, systemSchema);
  return {
    async read(connection) {
      const found = new Map((await rows.read(connection, ['name', 'value'])).map((row) => [row.name, Number(row.value)]));
      return { schema: found.get('schema') ?? 0, policy: found.get('policy') ?? 0, session: found.get('session') ?? 0 };
    },
    async bump(connection, name) {
      await rows.countUp(connection, 'value', { name });
    },
    async hold(connection) {
      await rows.update(connection, { name: 'session' }, { name: 'session' });
    },
  };
}
