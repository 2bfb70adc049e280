// MariaDB 10.6+ and MySQL 8: everything the service asks of this vendor.

import { DatabaseError } from '../../core/vendor/database-error.js';
import type { Dialect, DialectOptions } from '../../core/vendor/dialect.js';
import type { Driver } from '../../core/vendor/driver.js';
import { changeToken } from './change-token.js';
import { openPool } from './connection.js';
import { createDdl } from './ddl.js';
import { createDriver } from './driver.js';
import { errorNumber } from './errors.js';
import { introspect } from './introspect.js';
import { createSyntax } from './syntax.js';
import { parseUrl } from './url.js';
import { readViews } from './views.js';
import { createWriteSyntax } from './write-syntax.js';

/** Rejects when the url is wrong or its database or user does not exist; a server that is down may come back, so it is no error here. */
export async function openMysql(options: DialectOptions): Promise<Dialect> {
  const endpoint = parseUrl(options.url);
  const pool = openPool({ endpoint, size: options.poolSize, statementTimeoutMs: options.statementTimeoutMs });
  const driver = createDriver(pool, options.statementTimeoutMs);
  await checkAccess(driver, endpoint.database);
  return {
    vendor: 'mysql',
    driver,
    syntax: createSyntax(pool.server),
    write: createWriteSyntax(pool.server),
    ddl: createDdl(pool.server),
    introspect: (connection) => introspect(connection, pool.server),
    exclusively: driver.exclusively,
    views: readViews,
    changeToken: (connection) => changeToken(connection, pool.server),
  };
}

const unknownDatabase = 1049;
const refused = [1044, 1045, 1698];

async function checkAccess(driver: Driver, database: string): Promise<void> {
  try {
    await driver.version();
  } catch (error) {
    const number = error instanceof DatabaseError ? errorNumber(error.cause) : null;
    if (number === unknownDatabase || (number !== null && refused.includes(number))) {
      await driver.close();
      throw new Error(
        number === unknownDatabase
          ? `The database "${database}" does not exist on the server: create it first`
          : `The server refused the user: ${String(error)}`,
        { cause: error },
      );
    }
    if (!(error instanceof DatabaseError) || error.kind !== 'unavailable') throw error;
  }
}
