// Runs the command as a user would: as a process in a new folder, with an environment of PATH and patience only.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { patientVariables } from './patience.js';

const startScript = fileURLToPath(new URL('../../scripts/start.cjs', import.meta.url));
const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

const buildLock = join(tmpdir(), `tain_test_build_${createHash('sha256').update(startScript).digest('hex').slice(0, 12)}`);
/** Makes a program believe that this is an old Node. */
export const oldNode = fileURLToPath(new URL('../fixtures/old-node.mjs', import.meta.url));

const longestBuildMs = 180_000;

/** Builds once before the tests of the command. Test files run side by side: one builds, the others wait for it. */
export const build = async (): Promise<void> => {
  await waitFor(takeBuildLock, longestBuildMs + 10_000);
  try {
    await promisify(execFile)(process.execPath, [startScript, '--build-only']);
  } finally {
    rmSync(buildLock, { recursive: true, force: true });
  }
};

function takeBuildLock(): true | null {
  try {
    mkdirSync(buildLock);
    return true;
  } catch {
    // A process that holds the lock for that long was killed.
    const since = statSync(buildLock, { throwIfNoEntry: false })?.mtimeMs;
    if (since !== undefined && Date.now() - since > longestBuildMs) rmSync(buildLock, { recursive: true, force: true });
    return null;
  }
}

export interface RunningCommand {
  readonly process: ChildProcess;
  /** Its output so far, of both streams. */
  output(): string;
  /** Resolves with the address that it prints. */
  address(): Promise<string>;
  printed(pattern: RegExp, withinMs?: number): Promise<string>;
  /** The exit code, or the signal that ended the process. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

export interface Folder {
  readonly path: string;
  remove(): void;
}

export function makeFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'tain_test_folder_'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** `npm start` without npm, which would not forward signals. */
export const runNpmStart = (folder: Folder): RunningCommand => run(folder, [startScript], {});

/** Runs any command of `tain`. */
export const runTain = (folder: Folder, args: readonly string[]): RunningCommand => run(folder, [main, ...args], {});

export const runStart = (folder: Folder, args: readonly string[] = [], variables: Readonly<Record<string, string>> = {}): RunningCommand =>
  run(folder, [main, 'start', ...args], variables);

export const runOnOldNode = (folder: Folder): RunningCommand => run(folder, ['--import', oldNode, main], {});

/** `runStart` by a user to whom the rights of files apply: those of root, without its power over them, where the tests run as root. */
export function runStartWithoutPower(folder: Folder, args: readonly string[]): RunningCommand {
  const command = [main, 'start', ...args];
  if (process.getuid?.() !== 0) return run(folder, command, {});
  return run(folder, ['--inh-caps=-all', '--bounding-set=-all', process.execPath, ...command], {}, 'setpriv');
}

/** `runStart` in a shell that limits the size of files to `kilobytes`: writes beyond it fail, as on a full disk. */
export const runStartInSmallSpace = (folder: Folder, kilobytes: number, variables: Readonly<Record<string, string>>): RunningCommand =>
  run(folder, ['-c', `trap '' XFSZ; ulimit -f ${kilobytes}; exec "$0" "$@"`, process.execPath, main, 'start'], variables, '/bin/bash');

function run(
  folder: Folder,
  command: readonly string[],
  variables: Readonly<Record<string, string>>,
  program: string = process.execPath,
): RunningCommand {
  const child = spawn(program, command, {
    cwd: folder.path,
    env: { PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'error', ...patientVariables, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? -1));
  });
  const printed = (pattern: RegExp, withinMs = 90_000): Promise<string> =>
    waitFor(
      () => pattern.exec(text)?.[0] ?? null,
      withinMs,
      () => text,
    );
  return { process: child, output: () => text, printed, address: () => printed(/http:\/\/127\.0\.0\.1:\d+/), ended };
}

/** Calls `ask` until it returns a value other than null. */
export async function waitFor<T>(
  ask: () => T | null | Promise<T | null>,
  withinMs: number,
  describe: () => string = () => '',
  everyMs = 50,
): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (Date.now() > until) throw new Error(`did not happen within ${withinMs} ms ${describe()}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
