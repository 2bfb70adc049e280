// What other programs do with the database file: whether one has committed, and which have it open.

import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import type { ContentToken } from '../../../core/vendor/dialect.js';

/**
 * Whether another connection has committed. The counter of a connection ignores its own commits, so it is read on the writer: only other
 * programs, and other processes of the service, change it.
 */
export const contentToken: ContentToken = {
  source: 'PRAGMA data_version',
  async read(connection) {
    // `write`: this kind of statement runs on the writer.
    const [row] = await connection.rows({ kind: 'write', text: 'PRAGMA data_version', values: [], prepare: true });
    return String(row?.[0]);
  },
};

/**
 * The command lines of the other processes that have the file open. SQLite does not know them; on Linux the process table does, for
 * processes that this user may inspect. Empty on other systems.
 */
export async function openers(file: string): Promise<readonly string[]> {
  const [path, entries] = await Promise.all([realpath(file).catch(() => file), readdir('/proc').catch(() => [])]);
  const others = entries.filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  const found: string[] = [];
  for (const pid of others) if (await hasOpen(pid, path)) found.push(await commandLine(pid));
  return found;
}

async function hasOpen(pid: string, path: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const descriptors = await readdir(folder).catch(() => []);
  const targets = await Promise.all(descriptors.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  return targets.includes(path);
}

/** The arguments are separated by null characters. */
const commandLine = async (pid: string): Promise<string> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ').trim();
