// Directus itself, as a black box: its package is downloaded on first use and started on a database by the command of its manual.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeApi } from './api.js';
import { waitFor } from './run-command.js';
import { freePort } from './throw-away-server.js';
import type { Vendor } from './vendors.js';

const version = '11.17.4';
const folder = join(fileURLToPath(new URL('../../node_modules/.cache/tain-directus', import.meta.url)), version);
const program = join(folder, 'node_modules/directus/cli.js');
/** Its package takes a minute or two to install, its start some seconds. */
const startMs = 180_000;

export interface DirectusServer {
  readonly url: string;
  stop(): Promise<void>;
}

export function fetchDirectus(): void {
  if (existsSync(program)) return;
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `directus@${version}`];
  const { status } = spawnSync('npm', args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`directus@${version} cannot be installed`);
}

export async function startDirectus(vendor: Vendor, databaseUrl: string, uploads: string): Promise<DirectusServer> {
  const port = await freePort();
  const child = spawn(process.execPath, [program, 'start'], {
    cwd: uploads,
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: String(port),
      KEY: 'a-key-of-the-tests',
      SECRET: 'a-secret-of-the-tests-that-is-long-enough',
      TELEMETRY: 'false',
      // It would answer 503 on a busy machine.
      PRESSURE_LIMITER_ENABLED: 'false',
      LOG_LEVEL: 'warn',
      STORAGE_LOCATIONS: 'local',
      STORAGE_LOCAL_ROOT: uploads,
      ...connectionOf(vendor, databaseUrl),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = collectOutput(child);
  const url = `http://127.0.0.1:${port}`;
  const anyone = makeApi(url, null);
  const isReady = async (): Promise<true | null> => {
    if (child.exitCode !== null) throw new Error(`Directus ended: ${printed()}`);
    return (await anyone.get('/server/ping').catch(() => null))?.status === 200 ? true : null;
  };
  await waitFor(isReady, startMs, printed);
  return {
    url,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function collectOutput({ stdout, stderr }: ChildProcess): () => string {
  let text = '';
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return () => text;
}

function connectionOf({ name }: Vendor, databaseUrl: string): Readonly<Record<string, string>> {
  if (name === 'sqlite') return { DB_CLIENT: 'sqlite3', DB_FILENAME: databaseUrl.replace(/^sqlite:(\/\/(?=\/))?/, '') };
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  return {
    DB_CLIENT: name === 'mysql' ? 'mysql' : 'pg',
    DB_HOST: hostname,
    DB_PORT: port || (name === 'mysql' ? '3306' : '5432'),
    DB_DATABASE: pathname.slice(1),
    DB_USER: decodeURIComponent(username),
    DB_PASSWORD: decodeURIComponent(password),
  };
}
