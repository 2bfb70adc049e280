// What the next start would do to the tables of the service, told without writing anything.

import type { SystemHome } from '../../core/schema/system-home.js';
import type { Dialect } from '../../core/vendor/dialect.js';
import { requireReady } from './install.js';
import { readSeen, readUnlogged } from './migrate.js';
import { type Migration, migrations } from './migrations.js';

export interface UpgradeState {
  /** `new`: the service has never been started on the database. `newer`: a later program has migrated it. */
  readonly kind: 'new' | 'current' | 'due' | 'newer';
  /** The newest migration that the database has seen; null: none. */
  readonly from: string | null;
  /** The newest one of this program. */
  readonly to: string;
  /** Those that the database lacks, in their order. */
  readonly due: readonly Pick<Migration, 'version' | 'name' | 'about'>[];
}

/** Throws what keeps a start from migrating: missing rights, an interrupted restore, tables of another program. */
export async function readUpgradeState(dialect: Dialect, system: SystemHome): Promise<UpgradeState> {
  await requireReady(dialect, system);
  const seen = await readSeen(dialect, system);
  if (seen === null) await readUnlogged({ dialect, connection: dialect.driver, system });
  return compareVersions(seen, migrations);
}

/** The log has other entries, too, whose versions are no numbers. */
const isMigration = (version: string): boolean => /^\d+$/.test(version);

export function compareVersions(seen: ReadonlySet<string> | null, known: readonly Migration[]): UpgradeState {
  const due = known.filter(({ version }) => seen?.has(version) !== true).map(({ version, name, about }) => ({ version, name, about }));
  const from = [...(seen ?? [])].filter(isMigration).toSorted().at(-1) ?? null;
  const to = known.at(-1)?.version ?? '';
  const isNewer = from !== null && !known.some(({ version }) => version === from);
  const kind = seen === null ? 'new' : isNewer ? 'newer' : due.length > 0 ? 'due' : 'current';
  return { kind, from, to, due };
}
