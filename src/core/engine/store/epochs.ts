// Counters by which every process sees what another one changed. A change raises its counter in its own transaction; a process that reads a
// higher number than before reads the changed tables again.

import type { SystemDefinition } from '../../schema/system-definition.js';
import type { SystemHome } from '../../schema/system-home.js';
import type { Dialect } from '../../vendor/dialect.js';
import type { Connection } from '../../vendor/driver.js';
import { systemRows } from '../own-rows/system-rows.js';
import { jobPrefix } from './lease.js';

export const epochNames = ['schema', 'policy', 'session', 'flow'] as const;
export type EpochName = (typeof epochNames)[number];
export type EpochValues = Readonly<Record<EpochName, number>>;

/** Besides the counters the table has the rows of the jobs, by name. */
interface EpochReading {
  readonly counters: EpochValues;
  readonly jobs: ReadonlyMap<string, number>;
}

export interface Epochs {
  /** One statement. */
  read(connection: Connection): Promise<EpochReading>;
  bump(connection: Connection, name: EpochName): Promise<void>;
  /** Locks a row that always exists until the transaction ends, and changes nothing. */
  lock(connection: Connection): Promise<void>;
}

export function openEpochs(dialect: Dialect, definition: SystemDefinition, system: SystemHome): Epochs {
  const rows = systemRows(dialect.syntax, definition, system);
  return {
    async read(connection) {
      const found = new Map((await rows.read(connection, ['name', 'value'])).map((row) => [String(row['name']), Number(row['value'])]));
      const [schema = 0, policy = 0, session = 0, flow = 0] = epochNames.map((name) => found.get(name));
      return { counters: { schema, policy, session, flow }, jobs: new Map([...found].filter(([name]) => name.startsWith(jobPrefix))) };
    },
    async bump(connection, name) {
      await rows.countUp(connection, 'value', { name });
    },
    async lock(connection) {
      await rows.update(connection, { name: 'session' }, { name: 'session' });
    },
  };
}
