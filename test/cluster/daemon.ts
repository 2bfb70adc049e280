// A program that a test starts and ends: in a folder of its own, as an unprivileged user, with what it says kept in a file.

import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '../harness/run-command.js';
import { findProgram, unprivileged } from '../harness/throw-away-server.js';

export interface Daemon {
  readonly folder: string;
  /** Writes a file into its folder; resolves to the path. */
  file(name: string, text: string): string;
  /** Starts it, again if it has ended, and waits until it answers. */
  start(args: readonly string[], isAnswering: () => Promise<boolean>): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal, if it runs, and waits for its end. */
  end(signal?: NodeJS.Signals): Promise<void>;
  /** Ends it and removes its folder. */
  remove(): Promise<void>;
}

/** `owner`: the user to run as where the tests run as root. */
export function makeDaemon(name: string, packageName: string, owner: string): Daemon {
  const program = findProgram(name);
  if (program === null) throw new Error(`${name} is not installed: apt-get install ${packageName}`);
  const { uid, gid } = unprivileged(owner);
  const identity = uid === undefined || gid === undefined ? {} : { uid, gid };
  const own = (path: string): string => {
    if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
    return path;
  };
  const folder = own(mkdtempSync(join(tmpdir(), `tain_test_${name}_`)));
  const home = join(folder, 'home');
  mkdirSync(home);
  own(home);
  const log = join(folder, 'log');
  let running: ChildProcess | null = null;
  const hasEnded = (): boolean => running === null || running.exitCode !== null || running.signalCode !== null;
  const daemon: Daemon = {
    folder,
    file: (file, text) => {
      const path = join(folder, file);
      writeFileSync(path, text);
      return own(path);
    },
    async start(args, isAnswering) {
      const output = openSync(log, 'a');
      running = spawn(program, args, {
        ...identity,
        cwd: folder,
        env: { PATH: process.env['PATH'], HOME: home, TMPDIR: folder },
        stdio: ['ignore', output, output],
      });
      closeSync(output);
      await waitFor(
        async () => {
          if (hasEnded()) throw new Error(`${name} did not start: ${readFileSync(log, 'utf8')}`);
          return (await isAnswering().catch(() => false)) ? true : null;
        },
        60_000,
        () => readFileSync(log, 'utf8'),
      );
    },
    signal: (signal) => void running?.kill(signal),
    async end(signal = 'SIGTERM') {
      const process = running;
      if (process === null || hasEnded()) return;
      const gone = new Promise((resolve) => process.once('exit', resolve));
      process.kill(signal);
      await gone;
    },
    async remove() {
      await daemon.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return daemon;
}
