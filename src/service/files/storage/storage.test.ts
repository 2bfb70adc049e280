import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startBucket } from '../../../../test/harness/bucket-server.js';
import { openLocalStorage } from './local-storage.js';
import { openS3Storage } from './s3-storage.js';
import { readAll, type Storage } from './storage.js';

interface Place {
  readonly storage: Storage;
  /** What lies in it, unfinished contents included. */
  list(): readonly string[];
  close(): void;
}

const makeFolder = (): string => mkdtempSync(join(tmpdir(), 'tain_test_storage_'));

async function openFolder(): Promise<Place> {
  const root = makeFolder();
  const list = () => readdirSync(root, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  return { storage: openLocalStorage(join(root, 'made', 'later')), list, close: () => rmSync(root, { recursive: true, force: true }) };
}

async function openBucket(): Promise<Place> {
  const bucket = await startBucket();
  return {
    storage: await openS3Storage(bucket.url),
    list: () => [...bucket.objects.keys(), ...bucket.unfinished.keys()],
    close: () => bucket.stop(),
  };
}

async function* bytes(...pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}

async function* breakingOff(...pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
  throw new Error('gone');
}

const textOf = async (storage: Storage, name: string, range?: { first: number; last: number }): Promise<string | null> => {
  const stream = await storage.read(name, range);
  return stream === null ? null : (await readAll(stream)).toString();
};

const megabytes = (count: number): Buffer => Buffer.alloc(count * 1024 * 1024, count);

describe.each([
  ['a folder', openFolder],
  ['a bucket', openBucket],
])('%s as a storage', (_name, open) => {
  let place: Place;
  let storage: Storage;
  beforeEach(async () => {
    place = await open();
    storage = place.storage;
  });
  afterEach(() => place.close());

  it('writes, reads and removes', async () => {
    await storage.write('a.txt', bytes('01234', '56789'));
    expect(await storage.size('a.txt')).toBe(10);
    expect([await textOf(storage, 'a.txt'), await textOf(storage, 'a.txt', { first: 2, last: 4 })]).toEqual(['0123456789', '234']);
    await storage.write('empty', bytes());
    expect([await storage.size('empty'), await textOf(storage, 'empty')]).toEqual([0, '']);
    await storage.remove('a.txt');
    await storage.remove('a.txt');
    await storage.remove('empty');
    expect(place.list()).toEqual([]);
  });

  it('keeps large contents whole', async () => {
    const pieces = [megabytes(1), megabytes(9), megabytes(7)];
    await storage.write('large', bytes(...pieces));
    const stream = await storage.read('large');
    expect(stream !== null && (await readAll(stream)).equals(Buffer.concat(pieces))).toBe(true);
    expect(place.list()).toHaveLength(1);
  });

  it('removes a folder and nothing beside it', async () => {
    for (const name of ['1', '2', '3', '4', '5']) await storage.write(`variants-a/${name}.webp`, bytes('x'));
    await storage.write('variants-ab/1.webp', bytes('kept'));
    await storage.removeFolder('variants-a');
    expect(place.list()).toHaveLength(1);
    expect(await textOf(storage, 'variants-ab/1.webp')).toBe('kept');
  });

  it('lists the contents of one folder, or of all folders with a prefix, and no others', async () => {
    const names = ['variants-a/1.webp', 'variants-a/2.webp', 'variants-a/3.webp', 'variants-b/1.webp'];
    for (const name of [...names, 'a.txt', 'others/1.webp']) await storage.write(name, bytes('four'));
    const listed = async (prefix: string) => {
      const found: string[] = [];
      for await (const { name, size, changedAt } of storage.list(prefix)) {
        expect([size, Math.abs(Date.now() - changedAt) < 60_000]).toEqual([4, true]);
        found.push(name);
      }
      return found.sort();
    };
    expect(await listed('variants-')).toEqual(names);
    expect(await listed('variants-a/')).toEqual(names.slice(0, 3));
    expect(await listed('variants-c/')).toEqual([]);
  });

  it.each([1, 9])('keeps nothing of a content that breaks off after %i MB', async (count) => {
    await expect(storage.write('a.txt', breakingOff(megabytes(count)))).rejects.toThrow('gone');
    expect(await storage.size('a.txt')).toBeNull();
    expect(place.list()).toEqual([]);
  });

  it('B12: accepts names below its root only, and writes to generated ones', async () => {
    for (const name of ['../../secret', '..', '', 'missing', 'a.txt/b', 'a/../../secret', '.hidden', 'a\\b', 'a//b']) {
      expect([await storage.size(name), await textOf(storage, name)]).toEqual([null, null]);
    }
    for (const name of ['../x', 'a picture.png', 'a/b/c']) await expect(storage.write(name, bytes('x'))).rejects.toThrow();
    expect(place.list()).toEqual([]);
  });
});

it('B12, B13: a local folder opens only regular files below it, whichever server named them', async () => {
  const root = makeFolder();
  const inside = join(root, 'inside');
  const storage = openLocalStorage(inside);
  await storage.write('a.txt', bytes('mine'));
  writeFileSync(join(root, 'secret'), 'secret');
  symlinkSync(join(root, 'secret'), join(inside, 'link'));
  mkdirSync(join(inside, 'folder', '2024'), { recursive: true });
  symlinkSync(root, join(inside, 'elsewhere'));
  for (const name of ['our picture_1.png', 'folder/2024/été.png']) {
    writeFileSync(join(inside, name), 'theirs');
    expect([await storage.size(name), await textOf(storage, name)]).toEqual([6, 'theirs']);
  }
  await storage.remove('folder/2024/été.png');
  expect(readdirSync(join(inside, 'folder', '2024'))).toEqual([]);
  await storage.remove('elsewhere/secret');
  for (const name of ['link', 'folder', '../secret', 'elsewhere/secret']) {
    expect([await storage.size(name), await textOf(storage, name)]).toEqual([null, null]);
  }
  await storage.remove('../secret');
  expect(readdirSync(root).sort()).toEqual(['inside', 'secret']);
  rmSync(root, { recursive: true, force: true });
});

it('a bucket that cannot be reached is unavailable; one that refuses the credentials is an internal error', async () => {
  const bucket = await startBucket();
  const refused = await openS3Storage(bucket.url.replace('tain-test-key', 'another-key'));
  await expect(refused.write('a.txt', bytes('x'))).rejects.toMatchObject({ name: 'InvalidAccessKeyId' });
  const storage = await openS3Storage(bucket.url);
  bucket.stop();
  await expect(storage.size('a.txt')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
