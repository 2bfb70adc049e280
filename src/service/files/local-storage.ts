// Contents as files in one folder. A content is written beside its place and moved there when it is complete; only regular files of
// generated names are ever opened, so neither a name nor a link leads out of the folder.

import { constants, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isContentName } from './content-name.js';
import type { ByteRange, Storage } from './storage.js';

export function openLocalStorage(folder: string): Storage {
  const root = resolve(folder);
  return {
    name: 'local',
    write: async (name, content) => writeContent(placeOf(root, name), content),
    size: (name) => sizeOf(root, name),
    read: (name, range) => readContent(root, name, range),
    remove: async (name) => {
      if (isContentName(name)) await ignoreMissing(unlink(placeOf(root, name)));
    },
    removeFolder: async (name) => {
      if (isContentName(name)) await rm(placeOf(root, name), { recursive: true, force: true });
    },
  };
}

function placeOf(root: string, name: string): string {
  if (!isContentName(name)) throw new Error('not the name of a content');
  return join(root, ...name.split('/'));
}

async function writeContent(place: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  await mkdir(dirname(place), { recursive: true });
  const unfinished = `${place}.part`;
  try {
    await pipeline(content, createWriteStream(unfinished, { flags: 'wx', mode: 0o640, flush: true }));
    await rename(unfinished, place);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Null for what is missing, no regular file, or not ours by name. */
async function openContent(root: string, name: string): Promise<{ readonly file: FileHandle; readonly size: number } | null> {
  if (!isContentName(name)) return null;
  const file = await ignoreMissing(open(placeOf(root, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK));
  if (file === null) return null;
  const facts = await file.stat();
  if (facts.isFile()) return { file, size: facts.size };
  await file.close();
  return null;
}

async function sizeOf(root: string, name: string): Promise<number | null> {
  const opened = await openContent(root, name);
  await opened?.file.close();
  return opened?.size ?? null;
}

async function readContent(root: string, name: string, range?: ByteRange): Promise<Readable | null> {
  const opened = await openContent(root, name);
  if (opened === null) return null;
  return opened.file.createReadStream(range === undefined ? {} : { start: range.first, end: range.last });
}

const meansMissing: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENXIO', 'EPERM']);

async function ignoreMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error && meansMissing.has(error.code)) return null;
    throw error;
  }
}
