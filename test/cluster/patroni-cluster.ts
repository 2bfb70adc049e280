// Three PostgreSQL servers under Patroni, with etcd and HAProxy, and with synchronous replication: an acknowledged commit is on two servers.

import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { waitFor } from '../harness/run-command.js';
import { findProgram, freePort } from '../harness/throw-away-server.js';
import { makeDaemon } from './daemon.js';
import { startHaproxy } from './haproxy.js';

interface PatroniNode {
  readonly name: string;
  /** Host and port of its PostgreSQL. */
  readonly address: string;
  readonly checkPort: number;
  start(): Promise<void>;
  /** Ends Patroni and PostgreSQL at once, as a power failure would. */
  kill(): Promise<void>;
  /** Whether it has this role: what HAProxy asks. */
  is(role: 'primary' | 'replica' | 'sync'): Promise<boolean>;
  remove(): Promise<void>;
}

export interface PatroniCluster {
  readonly nodes: readonly PatroniNode[];
  /** Host and port at which HAProxy leads to the primary. */
  readonly balancer: string;
  primary(): Promise<PatroniNode>;
  /** Resolves when one standby has every commit before it is acknowledged. */
  inStep(): Promise<void>;
  /** Makes the standby that is in step the primary. */
  switchOver(): Promise<void>;
  remove(): Promise<void>;
}

export async function startPatroni(): Promise<PatroniCluster> {
  const etcd = await startEtcd();
  const nodes: PatroniNode[] = [];
  for (const name of ['one', 'two', 'three']) nodes.push(await makeNode(name, etcd.address));
  const [first, ...others] = nodes;
  await first?.start();
  const find = async (role: 'primary' | 'sync'): Promise<PatroniNode | null> => {
    for (const node of nodes) if (await node.is(role)) return node;
    return null;
  };
  await waitFor(() => find('primary'), 60_000);
  for (const node of others) await node.start();
  const haproxy = await startHaproxy((address) => balancerOf(address, nodes));
  const primary = (): Promise<PatroniNode> => waitFor(() => find('primary'), 60_000);
  const inStep = (): Promise<PatroniNode> => waitFor(() => find('sync'), 60_000);
  return {
    nodes,
    balancer: haproxy.address,
    primary,
    inStep: async () => void (await inStep()),
    async switchOver() {
      const [leader, candidate] = [await primary(), await inStep()];
      const body = JSON.stringify({ leader: leader.name, candidate: candidate.name });
      const answer = await fetch(`http://127.0.0.1:${leader.checkPort}/switchover`, { method: 'POST', body });
      if (!answer.ok) throw new Error(await answer.text());
    },
    async remove() {
      await haproxy.stop();
      for (const node of nodes) await node.remove();
      await etcd.remove();
    },
  };
}

/** As Patroni's manual has it: sessions with a server that is no primary any more are ended. */
const balancerOf = (address: string, nodes: readonly PatroniNode[]): string => `
defaults
  mode tcp
  timeout connect 2s
  timeout client 60s
  timeout server 60s
listen primary
  bind ${address}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, address: server, checkPort }) => `  server ${name} ${server} check port ${checkPort}`).join('\n')}
`;

async function startEtcd(): Promise<{ readonly address: string; remove(): Promise<void> }> {
  const daemon = makeDaemon('etcd', 'etcd-server', 'postgres');
  const address = `127.0.0.1:${await freePort()}`;
  const peers = `http://127.0.0.1:${await freePort()}`;
  const settings = {
    'data-dir': join(daemon.folder, 'data'),
    'listen-client-urls': `http://${address}`,
    'advertise-client-urls': `http://${address}`,
    'listen-peer-urls': peers,
    'initial-advertise-peer-urls': peers,
    'initial-cluster': `default=${peers}`,
  };
  const args = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  await daemon.start(args, async () => (await fetch(`http://${address}/health`)).ok);
  return { address, remove: () => daemon.remove() };
}

async function makeNode(name: string, etcd: string): Promise<PatroniNode> {
  const daemon = makeDaemon('patroni', 'patroni', 'postgres');
  const address = `127.0.0.1:${await freePort()}`;
  const checkPort = await freePort();
  const data = join(daemon.folder, 'data');
  const config = daemon.file('patroni.yml', stringify(settingsOf({ name, address, checkPort, etcd, data, folder: daemon.folder })));
  const ask = async (path: string): Promise<boolean> => (await fetch(`http://127.0.0.1:${checkPort}${path}`)).ok;
  const node: PatroniNode = {
    name,
    address,
    checkPort,
    start: () => daemon.start([config], () => ask('/readiness')),
    async kill() {
      const postmaster = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
      await daemon.end('SIGKILL');
      // The immediate shutdown: its other processes would survive a killed postmaster for a while.
      process.kill(postmaster, 'SIGQUIT');
      await waitFor(() => (isRunning(postmaster) ? null : true), 10_000);
    },
    is: (role) => ask(`/${role}`).catch(() => false),
    remove: () => daemon.remove(),
  };
  return node;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

interface NodeFacts {
  readonly name: string;
  readonly address: string;
  readonly checkPort: number;
  readonly etcd: string;
  readonly data: string;
  readonly folder: string;
}

function settingsOf({ name, address, checkPort, etcd, data, folder }: NodeFacts): object {
  const programs = findProgram('initdb');
  if (programs === null) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const checks = `127.0.0.1:${checkPort}`;
  return {
    scope: 'tain',
    name,
    restapi: { listen: checks, connect_address: checks },
    etcd3: { hosts: etcd },
    bootstrap: {
      dcs: {
        // A primary that is gone for so long is replaced: the shortest that Patroni accepts.
        ttl: 20,
        loop_wait: 3,
        retry_timeout: 5,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { fsync: false, max_connections: 60, wal_log_hints: true } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { auth: 'trust' }, 'no-sync'],
    },
    postgresql: {
      listen: address,
      connect_address: address,
      data_dir: data,
      // Patroni calls its neighbours too, which a link on the path may not have.
      bin_dir: dirname(realpathSync(programs)),
      pgpass: join(folder, 'pgpass'),
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' }, rewind: { username: 'postgres' } },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      parameters: { unix_socket_directories: folder },
      basebackup: [{ checkpoint: 'fast' }],
    },
  };
}
