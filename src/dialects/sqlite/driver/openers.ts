// Who else has the database file open. SQLite does not know; on Linux the process table does, for processes that this user may look into.

import { readdir, readFile, readlink, realpath } from 'node:fs/promises';

/** The command lines of the other processes that have the file open; empty where the system does not tell. */
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
