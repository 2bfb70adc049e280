// A PostgreSQL dialect on a new database, for the unit tests of the dialect.

import type { Dialect, DialectOptions } from '../../src/core/vendor/dialect.js';
import { openPostgres } from '../../src/dialects/postgres/index.js';
import { patientDeadlines } from './patience.js';
import { createDatabase } from './vendors.js';

export interface OpenPostgres {
  readonly dialect: Dialect;
  readonly url: string;
  run(...texts: readonly string[]): Promise<void>;
  remove(): Promise<void>;
}

export async function openTestPostgres(
  area: string,
  options: Partial<Pick<DialectOptions, 'poolSize' | 'statementTimeoutMs' | 'pooler'>> = {},
): Promise<OpenPostgres> {
  const server = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432';
  const database = await createDatabase({ name: 'postgres', server, label: 'PostgreSQL' }, `postgres_${area}`);
  const dialect = await openPostgres({
    url: database.url,
    poolSize: 4,
    statementTimeoutMs: 60_000,
    deadlines: patientDeadlines,
    systemSchema: null,
    ...options,
  });
  return {
    dialect,
    url: database.url,
    run: async (...texts) => {
      for (const text of texts) await dialect.driver.run({ kind: 'write', text, values: [] });
    },
    remove: async () => {
      await dialect.driver.close();
      await database.drop();
    },
  };
}
