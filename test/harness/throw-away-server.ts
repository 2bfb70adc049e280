// Temporary database servers: a PostgreSQL, MariaDB or MySQL from the installed programs, in a temporary folder and on a free port. As root they run as
// an unprivileged user, since initdb refuses root. `remove` deletes the server with its data.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { runOnServer, type Vendor } from './vendors.js';

export interface ThrowAwayServer {
  readonly vendor: Vendor;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends it at once, as a power failure would. */
  kill(): Promise<void>;
  /** Stops responding, with its connections open, until `resume`. */
  pause(): void;
  resume(): void;
  remove(): Promise<void>;
}

type ServerName = 'postgres' | 'mysql';
type Identity = { readonly uid?: number; readonly gid?: number };

const run = promisify(execFile);

const findPrograms = (name: ServerName): Programs | null => (name === 'postgres' ? findPostgres() : findMysql());

export const hasServerPrograms = (name: ServerName): boolean => findPrograms(name) !== null;

/** Creates a server without starting it; rejects when the programs are not installed. `options`: additional command-line options. */
export async function makeServer(name: ServerName, options: readonly string[] = []): Promise<ThrowAwayServer> {
  const programs = findPrograms(name);
  if (programs === null) throw new Error(`the programs of a ${name} server are not on this machine`);
  const folder = mkdtempSync(join(tmpdir(), 'tain_test_server_'));
  const data = join(folder, 'data');
  const identity = unprivileged(name);
  mkdirSync(data, { mode: 0o700 });
  if (identity.uid !== undefined && identity.gid !== undefined) {
    for (const path of [folder, data]) chownSync(path, identity.uid, identity.gid);
  }
  const port = await freePort();
  const [install, ...installArguments] = programs.install(data);
  if (install !== undefined) await run(install, installArguments, { ...identity, cwd: folder, env: environment(folder) });
  const vendor: Vendor = { name, server: programs.url(port), label: `${programs.label} (throw-away server)` };
  return new Server(vendor, folder, [...programs.serve(data, port, folder), ...options], identity);
}

/** As packaged servers are set up, for many tests at once; but what they hold need not outlive a crash, and is not written twice. */
export function testSettings(name: ServerName): readonly string[] {
  if (name === 'postgres') return ['-c', 'max_connections=200', '-c', 'full_page_writes=off'];
  const settings = ['--innodb-flush-log-at-trx-commit=0', '--innodb-doublewrite=0'];
  // Debian's packages of MariaDB set these; those of MySQL keep the product's own.
  return findMysql()?.label === 'MariaDB'
    ? ['--character-set-server=utf8mb4', '--collation-server=utf8mb4_general_ci', ...settings]
    : settings;
}

/** MariaDB clears its folder for temporary tables when it starts: in a shared one it takes those of every other server. */
const environment = (folder: string) => ({ PATH: process.env['PATH'], TMPDIR: folder });

/** A standby of a running PostgreSQL server, without starting it. It follows the primary until it is promoted. */
export async function makeStandby(primary: ThrowAwayServer): Promise<ThrowAwayServer> {
  const backup = findProgram('pg_basebackup');
  const programs = findPostgres();
  if (backup === null || programs === null) throw new Error('the programs of a postgres server are not on this machine');
  const folder = mkdtempSync(join(tmpdir(), 'tain_test_standby_'));
  const data = join(folder, 'data');
  const identity = unprivileged('postgres');
  if (identity.uid !== undefined && identity.gid !== undefined) chownSync(folder, identity.uid, identity.gid);
  const port = await freePort();
  await run(backup, ['-D', data, '-R', '-X', 'stream', '-c', 'fast', '-d', `${primary.vendor.server}/postgres`], {
    ...identity,
    cwd: folder,
    env: environment(folder),
  });
  const vendor: Vendor = { name: 'postgres', server: programs.url(port), label: 'PostgreSQL (standby)' };
  return new Server(vendor, folder, programs.serve(data, port, folder), identity);
}

class Server implements ThrowAwayServer {
  readonly vendor: Vendor;
  readonly #folder: string;
  readonly #command: readonly string[];
  readonly #identity: Identity;
  #process: ChildProcess | null = null;

  constructor(vendor: Vendor, folder: string, command: readonly string[], identity: Identity) {
    this.vendor = vendor;
    this.#folder = folder;
    this.#command = command;
    this.#identity = identity;
  }

  async start(): Promise<void> {
    const [program = '', ...programArguments] = this.#command;
    this.#process = spawn(program, programArguments, {
      ...this.#identity,
      cwd: this.#folder,
      env: environment(this.#folder),
      stdio: 'ignore',
    });
    const until = Date.now() + 60_000;
    while (!(await isAnswering(this.vendor))) {
      if (Date.now() > until || this.#process.exitCode !== null) throw new Error(`${this.vendor.label} did not start`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  // PostgreSQL: SIGINT is the fast shutdown; MariaDB stops on SIGTERM only.
  stop(): Promise<void> {
    return this.#end(this.vendor.name === 'postgres' ? 'SIGINT' : 'SIGTERM');
  }

  /** PostgreSQL: the immediate shutdown; its other processes would survive a killed postmaster for a while. */
  kill(): Promise<void> {
    return this.#end(this.vendor.name === 'postgres' ? 'SIGQUIT' : 'SIGKILL');
  }

  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const running = this.#process;
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    const gone = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    await gone;
    this.#process = null;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A node that is about to join its cluster refuses to read tables. */
const questions = { sqlite: 'select 1', postgres: 'select 1', mysql: 'select count(*) from mysql.db' } as const;

/** Whether it answers now; callers that wait for it ask again. */
const answersWithinMs = 3_000;

export const isAnswering = (vendor: Pick<Vendor, 'name' | 'server'>): Promise<boolean> =>
  runOnServer(vendor, questions[vendor.name], answersWithinMs).then(
    () => true,
    () => false,
  );

interface Programs {
  readonly label: string;
  install(data: string): readonly string[];
  serve(data: string, port: number, folder: string): readonly string[];
  url(port: number): string;
}

/** The locale by which letters outside of ASCII have an upper and a lower case, as in packaged servers. */
const letters = process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8';

function findPostgres(): Programs | null {
  const initdb = findProgram('initdb');
  const postgres = findProgram('postgres');
  if (initdb === null || postgres === null) return null;
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'max_connections=60'].flatMap((setting) => [
    '-c',
    setting,
  ]);
  return {
    label: 'PostgreSQL',
    install: (data) => [
      initdb,
      '-D',
      data,
      '-U',
      'postgres',
      '--auth=trust',
      '-E',
      'UTF8',
      '--locale=C',
      `--lc-ctype=${letters}`,
      '--no-sync',
    ],
    serve: (data, port) => [postgres, '-D', data, '-p', String(port), ...settings],
    url: (port) => `postgres://postgres@127.0.0.1:${port}`,
  };
}

function findMysql(): Programs | null {
  const url = (port: number): string => `mysql://root@127.0.0.1:${port}`;
  const serve =
    (program: string) =>
    (data: string, port: number, folder: string): readonly string[] => [
      program,
      '--no-defaults',
      `--datadir=${data}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(folder, 's.sock')}`,
      `--pid-file=${join(folder, 'pid')}`,
    ];
  // Names the program of MySQL, where the tests run on it rather than on MariaDB.
  const chosen = process.env['TEST_MYSQLD'];
  const mariadb = chosen === undefined ? findProgram('mariadbd') : null;
  const installer = findProgram('mariadb-install-db');
  if (mariadb !== null && installer !== null) {
    const install = (data: string): readonly string[] => [
      installer,
      '--no-defaults',
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ];
    return { label: 'MariaDB', install, serve: serve(mariadb), url };
  }
  const mysqld = chosen ?? findProgram('mysqld');
  if (mysqld === null) return null;
  return {
    label: 'MySQL',
    install: (data) => [mysqld, '--no-defaults', '--initialize-insecure', `--datadir=${data}`],
    // It logs its changes unless told otherwise; the tests of the log ask for it, as on MariaDB.
    serve: (data, port, folder) => [...serve(mysqld)(data, port, folder), '--mysqlx=OFF', '--secure-file-priv=NULL', '--disable-log-bin'],
    url,
  };
}

export function findProgram(name: string): string | null {
  const versions = '/usr/lib/postgresql';
  const packaged = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...packaged.map((version) => join(versions, version, 'bin')),
    '/usr/sbin',
    '/usr/local/sbin',
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** The user to run as: empty for an ordinary user; for root the vendor's user, or nobody. */
export function unprivileged(name: string): Identity {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const entry = users.find(([user]) => user === name) ?? users.find(([user]) => user === 'nobody');
  return { uid: Number(entry?.[2] ?? 65534), gid: Number(entry?.[3] ?? 65534) };
}

const findGalera = (): string | undefined => galeraLibraries.find((path) => existsSync(path));

/** Where the nodes of a cluster find each other, if not directly. */
export interface NodeNetwork {
  readonly host: string;
  add(port: number): Promise<void>;
}

/** A node, and the port by which the others know it. */
export interface GaleraNode extends ThrowAwayServer {
  readonly nodePort: number;
}

/** Three MariaDB servers that are one cluster, without starting them; the first must be started before the others. */
export async function makeGalera(network: NodeNetwork | null = null): Promise<readonly GaleraNode[]> {
  const library = findGalera();
  if (library === undefined) throw new Error('Galera is not on this machine: apt-get install galera-4');
  const ports = [await freePort(), await freePort(), await freePort()];
  const addresses = ports.map((port) => `${network?.host ?? '127.0.0.1'}:${port}`);
  const servers: GaleraNode[] = [];
  for (const [index, port] of ports.entries()) {
    await network?.add(port);
    const address = `127.0.0.1:${port}`;
    const transfer = `127.0.0.1:${await freePort()}`;
    const server = await makeServer('mysql', [
      '--wsrep_on=ON',
      `--wsrep_provider=${library}`,
      '--wsrep_cluster_name=tain_test',
      `--wsrep_cluster_address=gcomm://${index === 0 ? '' : addresses.slice(0, index).join(',')}`,
      `--wsrep_node_address=${address}`,
      `--wsrep_node_name=node${index + 1}`,
      '--wsrep_sst_method=rsync',
      `--wsrep_sst_receive_address=127.0.0.1:${await freePort()}`,
      '--binlog_format=ROW',
      '--innodb_autoinc_lock_mode=2',
      '--innodb_flush_log_at_trx_commit=2',
      `--wsrep_provider_options=gmcast.listen_addr=tcp://${address};ist.recv_addr=${transfer}`,
    ]);
    servers.push(Object.assign(server, { nodePort: port }));
  }
  return servers;
}

const galeraLibraries = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib/galera-4/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'];

/** Options for a MariaDB cluster of one node; null where the library is not installed. */
export async function galeraOptions(): Promise<readonly string[] | null> {
  const library = findGalera();
  if (library === undefined) return null;
  const port = await freePort();
  return [
    '--wsrep_on=ON',
    `--wsrep_provider=${library}`,
    '--wsrep_cluster_address=gcomm://',
    '--binlog_format=ROW',
    '--wsrep_node_address=127.0.0.1',
    `--wsrep_provider_options=base_port=${port};gmcast.listen_addr=tcp://127.0.0.1:${port}`,
  ];
}

/** Below the range of ephemeral ports, so that no outgoing connection takes the port before the server does. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
