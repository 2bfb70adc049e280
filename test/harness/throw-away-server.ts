// Database servers of our own: a PostgreSQL or MariaDB started with the system's programs in a temporary folder, on a free port,
// as an unprivileged user when we are root (initdb refuses root), gone with everything in it when removed.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
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
  remove(): Promise<void>;
}

type ServerName = 'postgres' | 'mysql';
type Identity = { readonly uid?: number; readonly gid?: number };

const run = promisify(execFile);

const findPrograms = (name: ServerName): Programs | null => (name === 'postgres' ? findPostgres() : findMysql());

export const hasServerPrograms = (name: ServerName): boolean => findPrograms(name) !== null;

/** Installed and not yet started; rejects when the programs are not on this machine. */
export async function makeServer(name: ServerName): Promise<ThrowAwayServer> {
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
  if (install !== undefined) await run(install, installArguments, { ...identity, cwd: folder, env: { PATH: process.env['PATH'] } });
  const vendor: Vendor = { name, server: programs.url(port), label: `${programs.label} (throw-away server)` };
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
    this.#process = spawn(program, programArguments, { ...this.#identity, cwd: this.#folder, stdio: 'ignore' });
    const until = Date.now() + 60_000;
    while (!(await isAnswering(this.vendor))) {
      if (Date.now() > until || this.#process.exitCode !== null) throw new Error(`${this.vendor.label} did not start`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async stop(): Promise<void> {
    const running = this.#process;
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    const gone = new Promise((resolve) => running.once('exit', resolve));
    // PostgreSQL: SIGINT is the fast shutdown; MariaDB stops on SIGTERM only.
    running.kill(this.vendor.name === 'postgres' ? 'SIGINT' : 'SIGTERM');
    await gone;
    this.#process = null;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export const isAnswering = (vendor: Pick<Vendor, 'name' | 'server'>): Promise<boolean> =>
  runOnServer(vendor, 'select 1').then(
    () => true,
    () => false,
  );

interface Programs {
  readonly label: string;
  install(data: string): readonly string[];
  serve(data: string, port: number, folder: string): readonly string[];
  url(port: number): string;
}

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
    install: (data) => [initdb, '-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
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
  const mariadb = findProgram('mariadbd');
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
  const mysqld = findProgram('mysqld');
  if (mysqld === null) return null;
  return {
    label: 'MySQL',
    install: (data) => [mysqld, '--no-defaults', '--initialize-insecure', `--datadir=${data}`],
    serve: serve(mysqld),
    url,
  };
}

function findProgram(name: string): string | null {
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

/** Nothing to change for an ordinary user; root becomes the vendor's own user, else nobody. */
function unprivileged(name: ServerName): Identity {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const entry = users.find(([user]) => user === name) ?? users.find(([user]) => user === 'nobody');
  return { uid: Number(entry?.[2] ?? 65534), gid: Number(entry?.[3] ?? 65534) };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no free port'))));
    });
  });
}
