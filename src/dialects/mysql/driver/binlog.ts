// The binary log of MariaDB and MySQL as a source of changes. One connection reads the log as a replica would; another holds the lock of the reading
// process and runs the statements that reading needs. A change must not be read before it is visible: MySQL tells so only of transactions that
// have names (GTIDs).

import type { ChangeLog, LoggedTable, LogRefusal, OpenLog } from '../../../core/vendor/change-log.js';
import { databaseDigest, logStatus, type Server } from '../types/server.js';
import { Binlog } from './binlog-stream.js';
import type { OwnConnection } from './connection.js';
import { errorNumber } from './errors.js';

export interface BinlogDeps {
  readonly connect: () => Promise<OwnConnection>;
  readonly server: () => Server;
  /** Why the log of this server cannot be read, whatever its settings; null if nothing is known against it. */
  readonly excluded: string | null;
}

export const binlog = ({ connect, server, excluded }: BinlogDeps): ChangeLog => ({
  source: 'the binary log',
  reportsCascades: false,
  async open(tables, onMore) {
    if (excluded !== null) return { reason: excluded, cure: [] };
    const opened: OwnConnection[] = [];
    const own = async (): Promise<OwnConnection> => {
      const connection = await connect();
      opened.push(connection);
      return connection;
    };
    try {
      const result = await openLog(own, server, tables, onMore);
      if ('reason' in result) for (const connection of opened) connection.end();
      return result;
    } catch (error) {
      for (const connection of opened) connection.end();
      throw error;
    }
  },
});

async function openLog(
  connect: () => Promise<OwnConnection>,
  serverOf: () => Server,
  tables: readonly LoggedTable[],
  onMore: () => unknown,
): Promise<OpenLog | LogRefusal> {
  const control = await connect();
  const server = serverOf();
  const refusal = await findRefusal(control, server);
  if (refusal !== null) return refusal;
  const database = String((await control.rows('SELECT DATABASE()'))[0]?.[0]);
  try {
    const excluded = await findFilter(control, server, database);
    if (excluded !== null) return { reason: excluded, cure: [] };
    const [lock] = await control.rows(`SELECT GET_LOCK(CONCAT('tain log ', ${databaseDigest(server)}), 0)`);
    if (Number(lock?.[0]) !== 1) return { reason: 'another process of the service reads it', cure: [] };
    const log = new Binlog({ control, stream: await connect(), database, server, tables, onMore });
    await log.begin();
    return log;
  } catch (error) {
    if (errorNumber(error) !== accessDenied) throw error;
    return { reason: 'the user may not replicate', cure: [await grantOf(control, server)] };
  }
}

const accessDenied = 1227;

async function grantOf(control: OwnConnection, server: Server): Promise<string> {
  const user = String((await control.rows('SELECT CURRENT_USER()'))[0]?.[0]);
  const at = user.lastIndexOf('@');
  const quoted = [user.slice(0, at), user.slice(at + 1)].map((part) => `'${part.replaceAll("'", "''")}'`).join('@');
  return `GRANT REPLICATION SLAVE, ${server.mariadb ? 'BINLOG MONITOR' : 'REPLICATION CLIENT'} ON *.* TO ${quoted};`;
}

async function findRefusal(control: OwnConnection, server: Server): Promise<LogRefusal | null> {
  const names = ['log_bin', 'binlog_format', 'wsrep_on', 'gtid_mode', 'binlog_order_commits', 'binlog_transaction_compression'];
  const rows = await control.rows(`SHOW GLOBAL VARIABLES WHERE Variable_name IN (${names.map((name) => `'${name}'`).join()})`);
  const values = new Map(rows.map(([name, value]) => [String(name), String(value)]));
  if (values.get('wsrep_on') === 'ON') return { reason: 'each node of a cluster has one of its own', cure: [] };
  const format = 'SET GLOBAL binlog_format = ROW; -- and binlog_format = ROW in the configuration of the server';
  if (values.get('log_bin') !== 'ON')
    return {
      reason: 'log_bin is OFF',
      cure: ['log_bin and binlog_format = ROW in the configuration of the server, then a restart', await grantOf(control, server)],
    };
  if (values.get('binlog_format') !== 'ROW') return { reason: `binlog_format is ${values.get('binlog_format')}`, cure: [format] };
  const unfit = server.mariadb ? null : findUnfit(values);
  if (unfit !== null) return unfit;
  await control.rows('SET SESSION wait_timeout = 2147483');
  // Under any other isolation level, START TRANSACTION WITH CONSISTENT SNAPSHOT takes no snapshot.
  await control.rows('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
  return null;
}

/** Settings of MySQL without which a commit in the log cannot be told from one that readers see, or not read at all. */
function findUnfit(values: ReadonlyMap<string, string>): LogRefusal | null {
  if (values.get('gtid_mode') !== 'ON') {
    const cure = 'gtid_mode = ON and enforce_gtid_consistency = ON in the configuration of the server, then a restart';
    return { reason: `gtid_mode is ${values.get('gtid_mode')}`, cure: [cure] };
  }
  if (values.get('binlog_order_commits') === 'OFF')
    return { reason: 'binlog_order_commits is OFF', cure: ['SET PERSIST binlog_order_commits = ON;'] };
  if (values.get('binlog_transaction_compression') === 'ON')
    return { reason: 'binlog_transaction_compression is ON', cure: ['SET PERSIST binlog_transaction_compression = OFF;'] };
  return null;
}

/** Checks whether the server is configured to leave this database out of its log. */
async function findFilter(control: OwnConnection, server: Server, database: string): Promise<string | null> {
  const [, , only, without] = ((await control.rows(logStatus(server)))[0] ?? []).map((value) => String(value));
  const names = (list: string | undefined): readonly string[] => (list === undefined || list === '' ? [] : list.split(','));
  if (names(without).includes(database)) return 'binlog_ignore_db names the database';
  return names(only).length > 0 && !names(only).includes(database) ? 'binlog_do_db does not name the database' : null;
}
