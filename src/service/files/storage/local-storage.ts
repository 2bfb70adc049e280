// Stores contents as files in one folder. A content is written to a temporary file and renamed when it is complete. Only regular files
// below the folder are opened: neither a name nor a symbolic link leads out of it.

import { constants, createWriteStream } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { serviceError } from '../../../core/errors/service-error.js';
import { generated, isContentName, isGeneratedName } from './content-name.js';
import type { ByteRange, Storage, StoredContent } from './storage.js';

export function openLocalStorage(folder: string, storageName = 'local'): Storage {
  const root = resolve(folder);
  return {
    name: storageName,
    write: (name, content) => withStorageErrors(() => writeContent(pathOf(root, generated(name)), content)),
    size: (name) => withStorageErrors(() => sizeOf(root, name)),
    read: (name, range) => withStorageErrors(() => readContent(root, name, range)),
    remove: async (name) => {
      if (await isInside(root, name)) await ignoreMissing(unlink(pathOf(root, name)));
    },
    list: (prefix) => listFolders(root, prefix),
    removeFolder: async (name) => {
      if (isGeneratedName(name)) await rm(pathOf(root, name), { recursive: true, force: true });
    },
  };
}

const cannotAnswer = 'The storage of files cannot answer right now.';
const noRoom = 'The storage of files has no room left.';
const readOnly = 'The storage of files cannot be written to.';

/** Error codes that concern the disk or the process, not one file. They are answered as SERVICE_UNAVAILABLE. */
const explanations: Readonly<Record<string, string>> = {
  ENOSPC: noRoom,
  EDQUOT: noRoom,
  EFBIG: noRoom,
  EROFS: readOnly,
  EACCES: readOnly,
  EIO: cannotAnswer,
  EMFILE: cannotAnswer,
  ENFILE: cannotAnswer,
  ENOMEM: cannotAnswer,
  ENODEV: cannotAnswer,
  ESTALE: cannotAnswer,
};

async function withStorageErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : '';
    const message = explanations[code];
    throw message === undefined ? error : serviceError('SERVICE_UNAVAILABLE', message, { service: 'storage' }, error);
  }
}

function pathOf(root: string, name: string): string {
  if (!isContentName(name)) throw new Error('not the name of a content');
  return join(root, ...name.split('/'));
}

async function writeContent(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.part`;
  try {
    await pipeline(content, createWriteStream(unfinished, { flags: 'wx', mode: 0o640, flush: true }));
    await rename(unfinished, path);
  } catch (error) {
    // Report the first error, not one of the cleanup.
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Whether the name stays below the folder. Folders that the service did not make may be symbolic links. */
async function isInside(root: string, name: string): Promise<boolean> {
  if (!isContentName(name)) return false;
  if (!name.includes('/')) return true;
  const [top, place] = await Promise.all([root, dirname(pathOf(root, name))].map((path) => ignoreMissing(realpath(path))));
  return top != null && place != null && `${place}${sep}`.startsWith(`${top}${sep}`);
}

/** Resolves to null if the name leads elsewhere, or there is no regular file of that name. */
async function openContent(root: string, name: string): Promise<{ readonly file: FileHandle; readonly size: number } | null> {
  if (!(await isInside(root, name))) return null;
  const file = await ignoreMissing(open(pathOf(root, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK));
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

async function* listFolders(root: string, prefix: string): AsyncGenerator<StoredContent> {
  const [one] = prefix.split('/');
  const folders = prefix.endsWith('/')
    ? [one ?? '']
    : ((await ignoreMissing(readdir(root))) ?? []).filter((name) => name.startsWith(prefix));
  for (const folder of folders.filter(isGeneratedName)) {
    for (const file of (await ignoreMissing(readdir(join(root, folder)))) ?? []) {
      const facts = await ignoreMissing(lstat(join(root, folder, file)));
      if (facts?.isFile() === true) yield { name: `${folder}/${file}`, size: facts.size, changedAt: facts.mtimeMs };
    }
  }
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
