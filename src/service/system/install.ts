// Makes a database ready for the service: its tables, its secret and, once, the first administrator. Tables that are not the
// service's own are never touched.

import type { Dialect } from '../../core/vendor/dialect.js';
import { type Administrator, type AdministratorOptions, ensureAdministrator } from './ensure-administrator.js';
import { ensureSecret } from './ensure-secret.js';
import { migrate } from './migrate.js';

export interface InstallOptions extends AdministratorOptions {
  readonly dialect: Dialect;
  /** PostgreSQL: the schema of the service's own tables; null: beside the data. */
  readonly systemSchema: string | null;
  /** The configured secret; null: one is made and kept in the database. */
  readonly secret: string | null;
  readonly randomToken: (length: number) => string;
}

export interface Installed {
  readonly secret: string;
  /** The administrator made by this very call, to be shown once; null on every later start. */
  readonly administrator: Administrator | null;
}

export async function install(options: InstallOptions): Promise<Installed> {
  const { dialect, systemSchema } = options;
  await migrate(dialect, systemSchema);
  const administrator = await ensureAdministrator(options);
  const secret = options.secret ?? (await ensureSecret(dialect, systemSchema, () => options.randomToken(64)));
  return { secret, administrator };
}
