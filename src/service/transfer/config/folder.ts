// Things as files in a folder. `tain-config.json` in it says what the files were last the same as, by which a push recognises what was changed in
// the database since.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { isPlainObject } from '../../../core/util/plain-object.js';
import type { Configuration } from './configuration.js';
import { type Digests, readDigests } from './pushed.js';
import { ConfigurationRefused, digestOfThing, type Thing, textOfThing, thingId } from './thing.js';

const stateName = 'tain-config.json';
const format = 1;

interface FolderState {
  readonly things: readonly Thing[];
  /** null: the folder has no state. */
  readonly digests: Digests | null;
}

export interface WrittenFolder {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: number;
}

export async function readFolder(folder: string, configuration: Pick<Configuration, 'kinds' | 'keyField'>): Promise<FolderState> {
  const digests = await readState(folder);
  const things: Thing[] = [];
  const seen = new Map<string, string>();
  for (const path of await listFiles(folder, configuration.kinds)) {
    const thing = readThing(path, await readFile(join(folder, path), 'utf8'), configuration);
    const double = seen.get(thingId(thing));
    if (double !== undefined) throw new ConfigurationRefused(`${double} and ${path} describe the same: remove one of them`);
    seen.set(thingId(thing), path);
    things.push(thing);
  }
  return { things, digests };
}

async function listFiles(folder: string, kinds: readonly string[]): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw new ConfigurationRefused(`the folder ${folder} cannot be read: make it by tain config pull`);
  });
  const lists = entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(async (entry): Promise<readonly string[]> => {
      if (entry.isFile()) return entry.name.endsWith('.yaml') && kinds.includes(entry.name.slice(0, -5)) ? [entry.name] : [];
      if (!entry.isDirectory() || !kinds.includes(entry.name)) return [];
      const names = await readdir(join(folder, entry.name));
      return names
        .filter((name) => name.endsWith('.yaml'))
        .toSorted()
        .map((name) => `${entry.name}/${name}`);
    });
  return (await Promise.all(lists)).flat();
}

function readThing(path: string, text: string, { keyField }: Pick<Configuration, 'keyField'>): Thing {
  const kind = path.includes('/') ? path.slice(0, path.indexOf('/')) : path.slice(0, -5);
  const document = parseYaml(path, text);
  const field = keyField(kind);
  if (field === null) return { kind, key: '', path, document };
  const key = field === undefined ? undefined : document[field];
  if (field === undefined || (typeof key !== 'string' && key !== null))
    throw new ConfigurationRefused(`${path}: "${field}" has to say which one it is`);
  return { kind, key: key ?? '', path, document };
}

function parseYaml(path: string, text: string): Thing['document'] {
  try {
    const document: unknown = parse(text);
    if (isPlainObject(document)) return document;
  } catch (error) {
    throw new ConfigurationRefused(`${path} is no YAML: ${error instanceof Error ? error.message.split('\n', 1)[0] : String(error)}`);
  }
  throw new ConfigurationRefused(`${path} has to be one object`);
}

/** Writes the things, and removes the files of those that are gone. Other files are left alone. */
export async function writeFolder(
  folder: string,
  configuration: Pick<Configuration, 'kinds' | 'keyField'>,
  things: readonly Thing[],
  only: readonly string[] | null,
): Promise<WrittenFolder> {
  await mkdir(folder, { recursive: true });
  const written: string[] = [];
  const wanted = new Set(things.map(({ path }) => path));
  for (const thing of things) {
    const [file, text] = [join(folder, thing.path), textOfThing(thing)];
    if ((await readFile(file, 'utf8').catch(() => null)) === text) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    written.push(thing.path);
  }
  const meant = configuration.kinds.filter((kind) => only === null || only.includes(kind));
  const removed = (await listFiles(folder, meant)).filter((path) => !wanted.has(path));
  for (const path of removed) await rm(join(folder, path));
  await writeState(folder, Object.fromEntries(things.map((thing) => [thingId(thing), digestOfThing(thing)])));
  return { written, removed, unchanged: things.length - written.length };
}

async function readState(folder: string): Promise<Digests | null> {
  const text = await readFile(join(folder, stateName), 'utf8').catch(() => null);
  if (text === null) return null;
  const state: unknown = JSON.parse(text);
  if (!isPlainObject(state) || state['format'] !== format)
    throw new ConfigurationRefused(
      `${stateName} is of another form than this release of Tain reads (${format}): pull the folder again, or use the release that wrote it`,
    );
  return readDigests(state['things']);
}

/** Keeps what it says of other things. */
export async function writeState(folder: string, digests: Digests): Promise<void> {
  const all = { ...(await readState(folder)), ...digests };
  const things = Object.fromEntries(
    Object.keys(all)
      .toSorted()
      .map((id) => [id, all[id]]),
  );
  await writeFile(join(folder, stateName), `${JSON.stringify({ format, things }, null, 2)}\n`);
}
