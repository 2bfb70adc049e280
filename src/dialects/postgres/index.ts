// PostgreSQL: fills the ports. A server that is away is no error yet: the first statement tells whether it is there.

import type { Dialect, DialectOptions } from '../../core/vendor/dialect.js';
import type { Connection } from '../../core/vendor/driver.js';
import { readChangeToken } from './change-token.js';
import { checkAccess } from './check-access.js';
import { openDriver } from './connection.js';
import { createDdl } from './ddl.js';
import { hasPostgis, introspect } from './introspect.js';
import { postgresSyntax } from './syntax.js';
import { readViews } from './views.js';
import { postgresWriteSyntax } from './write-syntax.js';

/** An arbitrary number that every instance of the service agrees on; advisory locks are per database. */
const structureLock = 1_415_670_126;

/** Rejects when the url is wrong or its database or user does not exist. */
export async function openPostgres(options: DialectOptions): Promise<Dialect> {
  const driver = openDriver(options);
  await checkAccess(driver);
  let postgis = false;
  return {
    vendor: 'postgres',
    driver,
    syntax: postgresSyntax,
    write: postgresWriteSyntax,
    ddl: createDdl({ hasPostgis: () => postgis }),
    introspect: async (connection) => {
      postgis = await hasPostgis(connection);
      return introspect(connection);
    },
    views: readViews,
    changeToken: readChangeToken,
    exclusively: (work) => driver.transaction((connection) => lockStructure(connection).then(() => work(connection)), { structure: true }),
  };
}

async function lockStructure(connection: Connection): Promise<void> {
  await connection.rows({ text: 'SELECT pg_advisory_xact_lock($1)::text', values: [structureLock] });
}
