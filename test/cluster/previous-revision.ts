// The revision before the newest migration of the system tables, taken from the history of the project and started from its sources.

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrations } from '../../src/service/system/migrations.js';
import { patientVariables } from '../harness/patience.js';
import { waitFor } from '../harness/run-command.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const git = (...args: readonly string[]): Buffer => execFileSync('git', args, { cwd: root, maxBuffer: 512 * 1024 * 1024 });

export interface PreviousRevision {
  /** The commit. */
  readonly name: string;
  start(databaseUrl: string, variables?: Readonly<Record<string, string>>): Promise<RunningRevision>;
  remove(): void;
}

export interface RunningRevision {
  readonly url: string;
  stop(): Promise<void>;
}

/** `UPGRADE_FROM` names another revision. */
export function checkOut(): PreviousRevision {
  const name = process.env['UPGRADE_FROM'] ?? beforeNewestMigration();
  const folder = mkdtempSync(join(tmpdir(), 'tain_test_revision_'));
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', name, 'src', 'package.json', 'tsconfig.json', 'scripts') });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return {
    name,
    start: (databaseUrl, variables = {}) => start(folder, databaseUrl, variables),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function beforeNewestMigration(): string {
  const { version = '' } = migrations.at(-1) ?? {};
  const added = git('log', '--format=%H', `-Sversion: '${version}'`, '--', 'src/service/system/migrations.ts')
    .toString()
    .trim()
    .split('\n');
  const [first] = added.slice(-1);
  if (first === undefined || first === '') throw new Error('the history of the project is not here: clone it without --depth');
  return git('rev-parse', `${first}^`).toString().trim();
}

async function start(folder: string, databaseUrl: string, variables: Readonly<Record<string, string>>): Promise<RunningRevision> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts', 'start', databaseUrl], {
    cwd: folder,
    env: { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'error', RATE_LIMIT: 'off', ADMIN: 'off', ...patientVariables, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  const printed = (): string => text;
  const url = await waitFor(() => /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? null, 120_000, printed);
  await waitFor(async () => ((await fetch(`${url}/server/ready`)).ok ? true : null), 60_000, printed);
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
