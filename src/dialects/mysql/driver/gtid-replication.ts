// Positions of MariaDB. A primary and its replicas identify commits by domain, server and number (`0-1-100`), and the number of a domain
// only increases; a Galera cluster has one number for all of its nodes.

import type { Connection, Position } from '../../../core/vendor/driver.js';
import type { Replication } from '../../../core/vendor/replication.js';
import type { Server } from '../types/server.js';

export function gtidReplication(server: () => Server): Replication {
  let cluster: boolean | null = null;
  const isCluster = async (connection: Connection): Promise<boolean> => {
    cluster ??= await findCluster(connection, server);
    return cluster;
  };
  return {
    // In a cluster, the queried node may not be the one that committed, so it first waits until it has applied everything
    // (wsrep_sync_wait).
    position: async (primary) =>
      (await isCluster(primary))
        ? writeNode(await readNode(primary, 'SET STATEMENT wsrep_sync_wait = 1 FOR '))
        : readText(primary, 'SELECT @@global.gtid_binlog_pos'),
    async observe(replica) {
      if (!(await isCluster(replica))) {
        const applied = await readText(replica, 'SELECT @@global.gtid_slave_pos');
        return { applied: applied === '' ? null : applied };
      }
      const node = await readNode(replica);
      return { applied: node.get('wsrep_local_state') === syncedState ? writeNode(node) : null };
    },
    reaches: reachesGtid,
  };
}

/** Galera's state "Synced": the node is neither joining nor lagging behind as a donor. */
const syncedState = '4';

export function reachesGtid(applied: Position, position: Position): boolean {
  const has = readDomains(applied);
  return [...readDomains(position)].every(([domain, number]) => (has.get(domain) ?? -1) >= number);
}

/** The last number of each domain. The position of a cluster has one domain, its history. */
function readDomains(position: Position): ReadonlyMap<string, number> {
  const [history, inHistory] = position.split(':');
  if (history !== undefined && inHistory !== undefined) return new Map([[history, Number(inHistory)]]);
  const parts = position === '' ? [] : position.split(',').map((part) => part.trim().split('-'));
  return new Map(parts.map(([domain = '', , number]) => [domain, Number(number)]));
}

async function findCluster(connection: Connection, server: () => Server): Promise<boolean> {
  const text = "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('wsrep_on', 'log_bin')";
  const values = new Map((await connection.rows({ kind: 'read', text, values: [] })).map(([name, value]) => [name, value]));
  if (!server().mariadb) throw new Error('DATABASE_READ_URLS: replicas of MySQL are not supported, only those of MariaDB and PostgreSQL');
  if (values.get('wsrep_on') === 'ON') return true;
  if (values.get('log_bin') !== 'ON')
    throw new Error('DATABASE_READ_URLS: the primary writes no binary log (log_bin), so it has no replicas');
  return false;
}

type NodeStatus = ReadonlyMap<string, string>;

async function readNode(connection: Connection, before = ''): Promise<NodeStatus> {
  const names = "'wsrep_last_committed', 'wsrep_cluster_state_uuid', 'wsrep_local_state'";
  const text = `${before}SELECT LOWER(VARIABLE_NAME), VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME IN (${names})`;
  return new Map((await connection.rows({ kind: 'read', text, values: [] })).map(([name, value]) => [String(name), String(value)]));
}

const writeNode = (node: NodeStatus): Position => `${node.get('wsrep_cluster_state_uuid')}:${node.get('wsrep_last_committed')}`;

async function readText(connection: Connection, text: string): Promise<string> {
  const [row] = await connection.rows({ kind: 'read', text, values: [] });
  return String(row?.[0] ?? '');
}
