// PgBouncer before a PostgreSQL server, in transaction mode and otherwise as it is shipped.

import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, freePort, isAnswering, unprivileged } from '../harness/throw-away-server.js';
import type { Vendor } from '../harness/vendors.js';

export interface PgBouncer {
  readonly vendor: Vendor;
  stop(): Promise<void>;
}

export interface PgBouncerOptions {
  /** Further lines of its configuration. */
  readonly settings?: readonly string[];
  /** Sessions that it opens on the server for each database. */
  readonly sessions?: number;
}

export async function startPgBouncer(server: Vendor, { settings = [], sessions = 5 }: PgBouncerOptions = {}): Promise<PgBouncer> {
  const program = findProgram('pgbouncer');
  if (program === null) throw new Error('pgbouncer is not installed: apt-get install pgbouncer');
  const { hostname, port: serverPort, username } = new URL(server.server);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'tain_test_pgbouncer_'));
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const users = file('users.txt', `"${username}" ""\n`);
  const config = file(
    'pgbouncer.ini',
    [
      '[databases]',
      `* = host=${hostname} port=${serverPort}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      `default_pool_size = ${sessions}`,
      ...settings,
      '',
    ].join('\n'),
  );
  const { uid, gid } = unprivileged('postgres');
  if (uid !== undefined && gid !== undefined) for (const path of [folder, users, config]) chownSync(path, uid, gid);
  const running = spawn(program, ['-q', config], {
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
    stdio: 'ignore',
  });
  const vendor: Vendor = { name: 'postgres', server: `postgres://${username}@127.0.0.1:${port}`, label: 'PgBouncer' };
  const until = Date.now() + 30_000;
  while (!(await isAnswering(vendor))) {
    if (Date.now() > until || running.exitCode !== null) throw new Error('PgBouncer did not start');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    vendor,
    async stop() {
      await ended(running);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function ended(running: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (running.exitCode !== null) return resolve();
    running.once('exit', () => resolve());
    // The immediate shutdown: the default waits for clients to leave.
    running.kill('SIGTERM');
  });
}
