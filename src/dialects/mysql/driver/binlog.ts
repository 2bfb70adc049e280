// MariaDB's binary log as a source of changes. One connection reads the log as a replica would; another holds the lock of the reading
// process and runs the statements that reading needs. MySQL's log is not read: MySQL has no snapshot that reports its position in the log,
// so a change could be read before it is visible.

import type { ChangeLog, LoggedTable, LogRefusal, OpenLog } from '../../../core/vendor/change-log.js';
import { Binlog } from './binlog-stream.js';
import type { OwnConnection } from './connection.js';
import { errorNumber } from './errors.js';

export interface BinlogDeps {
  readonly connect: () => Promise<OwnConnection>;
  /** Why the log of this server cannot be read, whatever its settings; null if nothing is known against it. */
  readonly excluded: () => string | null;
}

export const binlog = ({ connect, excluded }: BinlogDeps): ChangeLog => ({
  source: 'the binary log',
  reportsCascades: false,
  async open(tables, onMore) {
    const reason = excluded();
    if (reason !== null) return { reason, cure: [] };
    const opened: OwnConnection[] = [];
    const own = async (): Promise<OwnConnection> => {
      const connection = await connect();
      opened.push(connection);
      return connection;
    };
    try {
      const result = await openLog(own, tables, onMore);
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
  tables: readonly LoggedTable[],
  onMore: () => unknown,
): Promise<OpenLog | LogRefusal> {
  const control = await connect();
  const refusal = await findRefusal(control);
  if (refusal !== null) return refusal;
  const database = String((await control.rows('SELECT DATABASE()'))[0]?.[0]);
  try {
    const excluded = await findFilter(control, database);
    if (excluded !== null) return { reason: excluded, cure: [] };
    const [lock] = await control.rows("SELECT GET_LOCK(CONCAT('tain log ', MD5(DATABASE())), 0)");
    if (Number(lock?.[0]) !== 1) return { reason: 'another process of the service reads it', cure: [] };
    const log = new Binlog({ control, stream: await connect(), database, tables, onMore });
    await log.begin();
    return log;
  } catch (error) {
    if (errorNumber(error) !== accessDenied) throw error;
    return { reason: 'the user may not replicate', cure: [await grantOf(control)] };
  }
}

const accessDenied = 1227;

async function grantOf(control: OwnConnection): Promise<string> {
  const user = String((await control.rows('SELECT CURRENT_USER()'))[0]?.[0]);
  const at = user.lastIndexOf('@');
  const quoted = [user.slice(0, at), user.slice(at + 1)].map((part) => `'${part.replaceAll("'", "''")}'`).join('@');
  return `GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO ${quoted};`;
}

async function findRefusal(control: OwnConnection): Promise<LogRefusal | null> {
  const rows = await control.rows("SHOW GLOBAL VARIABLES WHERE Variable_name IN ('log_bin', 'binlog_format', 'wsrep_on')");
  const values = new Map(rows.map(([name, value]) => [String(name), String(value)]));
  if (values.get('wsrep_on') === 'ON') return { reason: 'each node of a cluster has one of its own', cure: [] };
  const format = 'SET GLOBAL binlog_format = ROW; -- and binlog_format = ROW in the configuration of the server';
  if (values.get('log_bin') !== 'ON')
    return {
      reason: 'log_bin is OFF',
      cure: ['log_bin and binlog_format = ROW in the configuration of the server, then a restart', await grantOf(control)],
    };
  if (values.get('binlog_format') !== 'ROW') return { reason: `binlog_format is ${values.get('binlog_format')}`, cure: [format] };
  await control.rows('SET SESSION wait_timeout = 2147483');
  // Under any other isolation level, START TRANSACTION WITH CONSISTENT SNAPSHOT takes no snapshot.
  await control.rows('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
  return null;
}

/** Checks whether the server is configured to leave this database out of its log. */
async function findFilter(control: OwnConnection, database: string): Promise<string | null> {
  const [, , only, without] = ((await control.rows('SHOW MASTER STATUS'))[0] ?? []).map((value) => String(value));
  const names = (list: string | undefined): readonly string[] => (list === undefined || list === '' ? [] : list.split(','));
  if (names(without).includes(database)) return 'binlog_ignore_db names the database';
  return names(only).length > 0 && !names(only).includes(database) ? 'binlog_do_db does not name the database' : null;
}
