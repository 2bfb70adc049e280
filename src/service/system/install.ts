// Prepares a database for the service: its tables, its secret and, once, the first administrator. Touches no other tables.

import { setTimeout as sleep } from 'node:timers/promises';
import { type SystemRows, systemRows } from '../../core/engine/own-rows/system-rows.js';
import type { RowOf } from '../../core/schema/system-definition.js';
import type { SystemHome } from '../../core/schema/system-home.js';
import { DatabaseError, type DatabaseErrorKind } from '../../core/vendor/database-error.js';
import type { Dialect } from '../../core/vendor/dialect.js';
import type { Connection } from '../../core/vendor/driver.js';
import { readSetupCode } from '../auth/account/setup.js';
import { users } from '../definitions/accounts.js';
import { secrets } from '../definitions/bookkeeping.js';
import { randomToken } from '../secrets/token.js';
import { type Administrator, type AdministratorOptions, ensureAdministrator } from './ensure-administrator.js';
import { migrate } from './migrate.js';
import { refuseUnfinishedRestore } from './unfinished-restore.js';
import { requireKept } from './wire/kept-wire.js';

export interface InstallOptions extends AdministratorOptions {
  readonly dialect: Dialect;
  /** PostgreSQL: the schema of the service's tables; null puts them beside the data. */
  readonly system: SystemHome;
  /** The configured secret; null generates one and stores it in the database. */
  readonly secret: string | null;
  /** How long a step is repeated that collides with others; default 30 s. */
  readonly patienceMs?: number;
}

export interface Installed {
  readonly secret: string;
  /** The administrator that this call created, to be shown once; null on every later start. */
  readonly administrator: Administrator | null;
  /** The code with which the first administrator is set up in a browser; null when that is done. */
  readonly setupCode: string | null;
}

/** The user of the database lacks rights. Names the statements that an administrator of the database has to run, one per line. */
export class MissingRights extends Error {
  readonly lines: readonly string[];

  constructor(statements: readonly string[]) {
    const lines = [
      'the user of the database lacks rights to the tables of the service; run as its administrator:',
      ...statements.map((text) => `${text};`),
    ];
    super(lines.join('\n'));
    this.name = 'MissingRights';
    this.lines = lines;
  }
}

const usualPatienceMs = 30_000;

export async function install(options: InstallOptions): Promise<Installed> {
  const { dialect, system, patienceMs = usualPatienceMs } = options;
  const repeat = <T>(step: () => Promise<T>): Promise<T> => amongOthers(step, patienceMs);
  await requireReady(dialect, system);
  await migrateAmongOthers(dialect, system, patienceMs);
  const administrator = system.adopted === null ? await repeat(() => ensureAdministrator(options)) : null;
  if (system.adopted === null) await requireKept(dialect, system);
  const secret = options.secret ?? (await repeat(() => ensureSecret(dialect, system)));
  const tables = { secrets: systemRows(dialect.syntax, secrets, system), users: systemRows(dialect.syntax, users, system) };
  return { secret, administrator, setupCode: await readSetupCode(tables, dialect.driver) };
}

/** Throws where the tables of the service cannot be made or changed: an interrupted restore, missing rights. Writes nothing. */
export async function requireReady(dialect: Dialect, system: SystemHome): Promise<void> {
  await refuseUnfinishedRestore(dialect);
  await requireRights(dialect, system);
}

/** Brings the tables up to date, while other instances may do the same. */
export const migrateAmongOthers = (dialect: Dialect, system: SystemHome, patienceMs = usualPatienceMs): Promise<void> =>
  amongOthers(() => migrate(dialect, system), patienceMs);

/**
 * The errors by which a concurrent installation by another instance shows: a row or table already exists, or the database aborted one of
 * the two.
 */
const collisions: ReadonlySet<DatabaseErrorKind> = new Set(['unique', 'stale-schema', 'deadlock', 'retry', 'locked']);

const longestPauseMs = 500;

/**
 * Repeats a step of the installation that collided with another instance. Each step checks what exists already. `exclusively` admits one
 * instance at a time, except in a Galera cluster, where its lock holds on one node only and instances may be connected to different nodes.
 */
async function amongOthers<T>(step: () => Promise<T>, longestMs: number): Promise<T> {
  for (const startedAt = performance.now(); ; ) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof DatabaseError && collisions.has(error.kind))) throw error;
      if (performance.now() - startedAt > longestMs) throw new Error(explainCollision(error, longestMs), { cause: error });
    }
    await sleep(Math.random() * longestPauseMs);
  }
}

const explainCollision = ({ message }: DatabaseError, longestMs: number): string =>
  `The tables of the service could not be made ready within ${Math.ceil(longestMs / 1000)} s: ${message}. ` +
  'Another program changes or locks them, or their structure is not the one that the service made. Stop that program and start again.';

async function requireRights(dialect: Dialect, system: SystemHome): Promise<void> {
  const names = system.made.map(({ collection }) => collection);
  const missing = await dialect.missingRights(dialect.driver, { schema: system.schema, names });
  if (missing.length > 0) throw new MissingRights(missing);
}

const secretName = 'secret';

/**
 * The secret that signs tokens when none is configured. It is generated once and stored in the database, so that all processes share it and
 * a restart ends no session.
 */
async function ensureSecret(dialect: Dialect, system: SystemHome): Promise<string> {
  const rows = systemRows(dialect.syntax, secrets, system);
  const stored = await readSecret(rows, dialect.driver);
  if (stored !== null) return stored;
  return dialect.exclusively(async (connection) => {
    const present = await readSecret(rows, connection);
    if (present !== null) return present;
    const value = randomToken(64);
    await rows.insert(connection, [{ name: secretName, value }]);
    return value;
  });
}

async function readSecret(rows: SystemRows<RowOf<typeof secrets>>, connection: Connection): Promise<string | null> {
  const [row] = await rows.read(connection, ['value'], { name: secretName });
  return row?.value ?? null;
}
