// Entry point of the dialect for MariaDB (10.6 and later) and MySQL (8.0 and later): connects and assembles the ports from the folders of this dialect.

import type { ChangeLog } from '../../core/vendor/change-log.js';
import { checkAccess, closeOnFailure } from '../../core/vendor/check-access.js';
import type { DatabaseError } from '../../core/vendor/database-error.js';
import { type Deadlines, type Dialect, type DialectOptions, defaultDeadlines } from '../../core/vendor/dialect.js';
import { splitHosts } from '../../core/vendor/hosts.js';
import { withReplicas } from '../../core/vendor/open-replicas.js';
import { changeToken, contentToken, tracesOfOthers } from './catalogue/change-token.js';
import { introspect, readCatalogue, readViews, writableEvents } from './catalogue/introspect.js';
import { missingRights } from './catalogue/rights.js';
import { createDdl } from './ddl/ddl.js';
import { binlog } from './driver/binlog.js';
import { openOwnConnection, openPool, type Pool } from './driver/connection.js';
import { createDriver } from './driver/driver.js';
import { errorNumber } from './driver/errors.js';
import { gtidReplication } from './driver/gtid-replication.js';
import { type Endpoint, parseUrl } from './driver/url.js';
import { createSyntax } from './sql/syntax.js';
import { createWriteSyntax } from './sql/write-syntax.js';
import { createTransfer } from './transfer.js';

/** Rejects if the URL is invalid, or if its database or user does not exist. A server that cannot be reached is not an error: it may come back. */
export async function openMysql(options: DialectOptions): Promise<Dialect> {
  const { deadlines = defaultDeadlines } = options;
  const endpoints = splitHosts(options.url).map(parseUrl);
  const pool = poolFor(options);
  const primary = createDriver(pool, options.statementTimeoutMs);
  const explain = (error: DatabaseError): string | null => explainRefusal(error, endpoints[0]?.database ?? '');
  await checkAccess(primary, explain);
  await closeOnFailure(primary, pool.requireOneDatabase());
  const { driver, replicas, noting } = await withReplicas(primary, options, {
    open: (own) => createDriver(poolFor({ ...options, ...own }), options.statementTimeoutMs),
    replication: gtidReplication(pool.server),
    explain,
  });
  return {
    vendor: 'mysql',
    driver,
    mirrored: null,
    replicas,
    deadlines,
    syntax: createSyntax(pool.server),
    write: createWriteSyntax(pool.server),
    ddl: createDdl(pool.server),
    introspect: (connection, only) => introspect(connection, pool.server, only),
    readCatalogue: (connection) => readCatalogue(connection, pool.server),
    exclusively: (work) => noting(primary.exclusively(work)),
    missingRights,
    tracesOfOthers,
    views: readViews,
    writableEvents,
    changeToken: (connection) => changeToken(connection, pool.server),
    contentToken,
    openChannel: null,
    changeLog: openBinlog(endpoints, pool, deadlines),
    transfer: createTransfer(primary, pool.server),
  };
}

const poolFor = ({ url, poolSize: size, statementTimeoutMs, deadlines = defaultDeadlines, readOnly = false }: DialectOptions): Pool =>
  openPool({ endpoints: splitHosts(url).map(parseUrl), size, statementTimeoutMs, deadlines, readOnly });

function openBinlog([endpoint, ...others]: readonly Endpoint[], pool: Pool, deadlines: Deadlines): ChangeLog | null {
  if (endpoint === undefined) return null;
  const excluded = others.length > 0 ? 'each of several hosts has one of its own' : null;
  return binlog({ connect: () => openOwnConnection(endpoint, deadlines), server: pool.server, excluded });
}

const unknownDatabase = 1049;
const refused = [1044, 1045, 1698];

function explainRefusal(error: DatabaseError, database: string): string | null {
  const number = errorNumber(error.cause);
  if (number === unknownDatabase) return `The database "${database}" does not exist on the server: create it first`;
  return number !== null && refused.includes(number) ? `The server refused the user: ${error.message}` : null;
}
