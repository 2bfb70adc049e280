// Entry point of the PostgreSQL dialect: connects and assembles the ports from the folders of this dialect.

import type { RawDatabase } from '../../core/schema/raw.js';
import { checkAccess, closeOnFailure } from '../../core/vendor/check-access.js';
import type { DatabaseError } from '../../core/vendor/database-error.js';
import { type Dialect, type DialectOptions, defaultDeadlines, type SystemTables } from '../../core/vendor/dialect.js';
import type { Connection } from '../../core/vendor/driver.js';
import { withReplicas } from '../../core/vendor/open-replicas.js';
import { readChangeToken, tracesOfOthers } from './catalogue/change-token.js';
import { hasPostgis, introspect, readViews, writableEvents } from './catalogue/introspect.js';
import { missingRights } from './catalogue/rights.js';
import { createDdl } from './ddl/ddl.js';
import { openClient, openDriver } from './driver/connection.js';
import { openNotifyChannel } from './driver/notify-channel.js';
import { contentTokenOf } from './driver/own-transactions.js';
import { walLog } from './driver/wal-log.js';
import { walReplication } from './driver/wal-replication.js';
import { postgresSyntax } from './sql/syntax.js';
import { postgresWriteSyntax } from './sql/write-syntax.js';
import { createTransfer } from './transfer.js';

/** The key of the advisory lock; arbitrary, but equal in every instance of the service. Advisory locks are per database. */
const structureLock = 1_415_670_126;

/** Rejects if the URL is invalid, or if its database or user does not exist. A server that cannot be reached is not an error: it may come back. */
export async function openPostgres(options: DialectOptions): Promise<Dialect> {
  const primary = openDriver(options);
  await checkAccess(primary, explainRefusal);
  await closeOnFailure(primary, primary.requireOneDatabase());
  const { driver, replicas } = await withReplicas(primary, options, {
    open: (own) => openDriver({ ...options, ...own }),
    replication: walReplication,
    explain: explainRefusal,
  });
  let postgis = false;
  const readStructure = async (connection: Connection, only?: SystemTables): Promise<RawDatabase> => {
    postgis = await hasPostgis(connection);
    return introspect(connection, only);
  };
  return {
    vendor: 'postgres',
    driver,
    mirrored: null,
    replicas,
    deadlines: options.deadlines ?? defaultDeadlines,
    syntax: postgresSyntax,
    write: postgresWriteSyntax,
    ddl: createDdl({ hasPostgis: () => postgis }),
    introspect: readStructure,
    readCatalogue: async (connection) => ({ token: await readChangeToken(connection), database: await readStructure(connection) }),
    views: readViews,
    writableEvents,
    changeToken: readChangeToken,
    contentToken: contentTokenOf(primary.own),
    openChannel: (name, events) => openNotifyChannel(() => openClient(options), name, events),
    changeLog: walLog(() => openClient(options)),
    missingRights,
    tracesOfOthers,
    exclusively: (work) => driver.transaction((connection) => lockStructure(connection).then(() => work(connection)), { structure: true }),
    transfer: createTransfer(primary),
  };
}

async function lockStructure(connection: Connection): Promise<void> {
  await connection.rows({ kind: 'write', text: 'SELECT pg_advisory_xact_lock($1)::text', values: [structureLock] });
}

const unknownDatabase = '3D000';
const refusedUser: ReadonlySet<string> = new Set(['28000', '28P01']);

function explainRefusal({ cause, message }: DatabaseError): string | null {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  if (code === unknownDatabase) return `The server has no such database (${message}): create it first`;
  return refusedUser.has(code) ? `The server refused the user: ${message}` : null;
}
